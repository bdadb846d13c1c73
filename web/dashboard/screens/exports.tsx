import type { JSX } from 'preact'
import { OWN_ACCOUNTS } from '../own-accounts.ts'
import type { ScreenProps } from '../screen.ts'
import { useReply } from '../use-reply.ts'
import { Pending } from '../waiting.tsx'

/** What can be exported, and from where. */
const LISTS = [
  { name: 'transactions', title: 'Transactions', text: 'Every payment that was asked for' },
  { name: 'settlements', title: 'Settlements', text: 'Collected, fee, net, and the bank’s reference of each' },
  { name: 'statement', title: 'Wallet statement', text: 'Every line, with the balance after it' },
  { name: 'refunds', title: 'Refunds', text: 'What was given back' },
  { name: 'transfers', title: 'Transfers', text: 'What was sent, with fee and session id' },
  { name: 'batches', title: 'Batches', text: 'Transfers that were sent together' },
  { name: 'payment-links', title: 'Payment links', text: 'Which links there are, and whether they can be paid' },
  { name: 'invoices', title: 'Invoices', text: 'Who was asked for what until when' },
  { name: 'reserved-accounts', title: 'Reserved accounts', text: 'Who has which account' },
] as const

const LAGOS_MILLISECONDS = 3_600_000

/** The month before this one, in Lagos: its first and its last day. */
function lastMonth(now: Date): { readonly from: string; readonly to: string } {
  const lagos = new Date(now.getTime() + LAGOS_MILLISECONDS)
  const day = (month: number, date: number): string =>
    new Date(Date.UTC(lagos.getUTCFullYear(), month, date)).toISOString().slice(0, 10)
  const month = lagos.getUTCMonth()
  return { from: day(month - 1, 1), to: day(month, 0) }
}

/** Leads to the lists with a time set: what is exported there is exactly what one sees. */
export default function Exports({ screens }: ScreenProps): JSX.Element {
  const { body, problem } = useReply(OWN_ACCOUNTS, {})
  if (body === undefined) return <Pending problem={problem} />
  const { from, to } = lastMonth(new Date(body.at))
  const shown = LISTS.filter(({ name }) => screens.some((screen) => screen.name === name))
  return (
    <div class="stack">
      <h1>Exports</h1>
      <p class="quiet">
        Every list has a button that writes all of it into a file for spreadsheets, just as it is narrowed down and to
        the last row. Choose one for the whole of last month, or open it and narrow it down yourself.
      </p>
      <ul class="rows panel">
        {shown.map(({ name, title, text }) => (
          <li key={name}>
            <span>
              <b>{title}</b>
              <br />
              <small class="quiet">{text}</small>
            </span>
            <span class="acts">
              <a class="link" href={`/dashboard/${name}`}>
                All<span class="unseen"> of {title.toLowerCase()}</span>
              </a>
              <a class="button plain fit" href={`/dashboard/${name}?from=${from}&to=${to}`}>
                Last month<span class="unseen"> of {title.toLowerCase()}</span>
              </a>
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
