import type { JSX } from 'preact'
import type { ScreenProps } from '../shell/screen.ts'

/** The lists offered here, in order. */
const LISTS = [
  { name: 'transactions', title: 'Transactions', text: 'Every payment, in every status' },
  { name: 'settlements', title: 'Settlements', text: 'Gross, fee, net and bank reference of each settlement' },
  { name: 'statement', title: 'Wallet statement', text: 'Every entry with the balance after it' },
  { name: 'refunds', title: 'Refunds', text: 'Every refund with its reason' },
  { name: 'transfers', title: 'Transfers', text: 'Every transfer with fee and session ID' },
  { name: 'batches', title: 'Batches', text: 'Every batch of transfers' },
  { name: 'payment-links', title: 'Payment links', text: 'Every link with its status' },
  { name: 'invoices', title: 'Invoices', text: 'Customer, amount and due date of each invoice' },
  { name: 'reserved-accounts', title: 'Reserved accounts', text: 'Every account with its customer' },
] as const

/** Links to the lists, filtered by month; each list exports exactly the rows it shows. */
export default function Exports({ screens }: ScreenProps): JSX.Element {
  const shown = LISTS.filter(({ name }) => screens.some((screen) => screen.name === name))
  return (
    <div class="stack">
      <h1>Exports</h1>
      <p class="quiet">
        Every list has an Export button. It downloads all rows that match your filters as a CSV file. Open a list for
        last month, or open all of it and set your own filters.
      </p>
      <ul class="rows panel">
        {shown.map(({ name, title, text }) => (
          <li key={name}>
            <span>
              <b>{title}</b>
              <br />
              <small class="quiet">{text}</small>
            </span>
            <span class="actions">
              <a class="link" href={`/dashboard/${name}`}>
                All time<span class="unseen">: {title.toLowerCase()}</span>
              </a>
              <a class="button plain fit" href={`/dashboard/${name}?period=last-month`}>
                Last month<span class="unseen">: {title.toLowerCase()}</span>
              </a>
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
