import { Fragment, type JSX } from 'preact'
import { naira } from '../../../ui/money.ts'
import { dayText, moment } from '../format.ts'
import type { Column } from './column.ts'

const GOOD = /^(PAID|PASSED|OVERPAID|SUCCESS|COMPLETED|ACTIVE|DELIVERED|SUCCEEDED|CREDIT|APPLIED|MATCHES|WON|ENOUGH)$/
const BAD =
  /^(FAILED|PARTLY_FAILED|FAILING|REFUSED|GIVEN_UP|REVERSED|LOST|BELOW_MINIMUM|DIFFERENT_NAME|UNKNOWN_ACCOUNT|OTP_EMAIL_DISPATCH_FAILED)$/
const OVER =
  /^(EXPIRED|CANCELLED|AUTHORIZATION_EXPIRED|SUSPENDED|DEBIT|INACTIVE|CLOSED|REJECTED|REFUNDED|PARTIALLY_REFUNDED|NOT_COMPARED|ACCEPTED|DEALLOCATED|NO_MINIMUM)$/

/** Words of the API that people do not use. */
const PLAIN_NAMES: Readonly<Record<string, string>> = {
  ACCOUNT_TRANSFER: 'Bank transfer',
  API_NOTIFICATION: 'API',
  WAITING: 'Pending',
}

/** Turns `PARTIALLY_PAID` into "Partially paid". */
export const humanize = (name: string): string => {
  const plain = PLAIN_NAMES[name]
  if (plain !== undefined) return plain
  const text = name.toLowerCase().replaceAll('_', ' ').replaceAll('-', ' ')
  return text.replace(/\b(api|otp|sdk|ussd)\b|^\w/g, (letters) => letters.toUpperCase())
}

/** Names an act of the audit log: `team.invite` is “Team: invite”, and a call of the API has a title. */
export const nameOfAct = ({ act, actTitle }: { readonly act: string; readonly actTitle: string | null }): string =>
  actTitle ?? humanize(act.replace('.', ': '))

/** A status badge, coloured by outcome. */
export const Status = ({ status }: { readonly status: string }): JSX.Element => {
  const tone = GOOD.test(status) ? 'good' : BAD.test(status) ? 'bad' : OVER.test(status) ? 'over' : 'open'
  return <span class={`badge ${tone}`}>{humanize(status)}</span>
}

function textOf<Item>({ value, kind }: Column<Item>, item: Item): string {
  const given = value(item)
  if (given === null || given === '') return '–'
  if (kind === 'naira' && !Number.isNaN(Number(given))) return naira(Number(given))
  if (kind === 'moment') return moment(String(given))
  if (kind === 'day') return dayText(String(given))
  return String(given)
}

/** Short values are never broken across lines; long references are. */
const SHORT_WORD = /^[^_]{1,14}$/
const SHORT_PART = /^\S{1,14}$/
const AMOUNT = /^[(−]?₦[\d,.]+\)?$/

/** Lets a long reference, URL or event name break only between its parts, and never within an amount. */
const inParts = (text: string): JSX.Element => (
  <>
    {text.split(/(?<=[_|@/])|(?=[(−]?₦)(?<![(−])/).map((part, index) => (
      <Fragment key={index}>
        {index > 0 && <wbr />}
        {SHORT_PART.test(part) || AMOUNT.test(part) ? <span class="whole">{part}</span> : part}
      </Fragment>
    ))}
  </>
)

export interface ValueProps<Item> {
  readonly column: Column<Item>
  readonly item: Item
}

export function Value<Item>({ column, item }: ValueProps<Item>): JSX.Element {
  const given = column.value(item)
  const text = textOf(column, item)
  if (given === null || given === '') return <span class="quiet">–</span>
  if (column.kind === 'status') return <Status status={String(given)} />
  const isWhole = column.kind === 'naira' || SHORT_WORD.test(text)
  const shown = isWhole ? <span class="whole">{text}</span> : inParts(text)
  const link = column.link?.(item)
  if (link !== undefined) return <a href={link}>{shown}</a>
  if (column.kind === 'moment') return <time dateTime={String(given)}>{text}</time>
  return <>{shown}</>
}
