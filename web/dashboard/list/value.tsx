import { Fragment, type JSX } from 'preact'
import { naira } from '../../ui/money.ts'
import { moment } from '../texts.ts'
import type { Column } from './column.ts'

const GOOD = /^(PAID|OVERPAID|SUCCESS|COMPLETED|ACTIVE|DELIVERED|SUCCEEDED|CREDIT|APPLIED)$/
const BAD = /^(FAILED|REFUSED|GIVEN_UP|REVERSED|OTP_EMAIL_DISPATCH_FAILED)$/
const OVER = /^(EXPIRED|CANCELLED|AUTHORIZATION_EXPIRED|SUSPENDED|DEBIT|INACTIVE|CLOSED|REJECTED)$/

/** PARTIALLY_PAID as people write it. */
export const wordsOf = (name: string): string => {
  const text = name.toLowerCase().replaceAll('_', ' ').replaceAll('-', ' ')
  return text.replace(/\b(api|otp|ussd)\b|^\w/g, (letters) => letters.toUpperCase())
}

/** An act of the audit, `team.invite`, as people write it. */
export const actOf = (act: string): string => wordsOf(act.replace('.', ': '))

/** How far something has come, told by its colour too. */
export const Status = ({ status }: { readonly status: string }): JSX.Element => {
  const tone = GOOD.test(status) ? 'good' : BAD.test(status) ? 'bad' : OVER.test(status) ? 'over' : 'open'
  return <span class={`badge ${tone}`}>{wordsOf(status)}</span>
}

/** A value as text. */
function textOf<Item>({ value, kind }: Column<Item>, item: Item): string {
  const given = value(item)
  if (given === null || given === '') return '–'
  if (kind === 'naira') return naira(Number(given))
  if (kind === 'moment') return moment(String(given))
  return String(given)
}

/** A name, a number, a code: it stays whole where there is little room, while a long reference is broken. */
const SHORT_WORD = /^[^\s_]{1,14}$/
const SHORT_PART = /^\S{1,14}$/

/** A long reference, an address or the name of an event, broken where it has parts. */
const inParts = (text: string): JSX.Element => (
  <>
    {text.split(/(?<=[_|@/])/).map((part, index) => (
      <Fragment key={index}>
        {index > 0 && <wbr />}
        {SHORT_PART.test(part) ? <span class="whole">{part}</span> : part}
      </Fragment>
    ))}
  </>
)

/** A value as its column shows it. */
export function Value<Item>({ column, item }: { readonly column: Column<Item>; readonly item: Item }): JSX.Element {
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
