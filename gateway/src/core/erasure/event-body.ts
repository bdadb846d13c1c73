import type { Customer, Pseudonym } from './customer.ts'

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
type Fields = Readonly<Record<string, keyof Pseudonym | 'nothing'>>

/** The event fields that describe a customer; `nothing` leaves an empty object. */
const OF_CUSTOMER: Fields = {
  customerName: 'name',
  customerEmailAddress: 'email',
  customerPhoneNumber: 'phone',
  customerAddress: 'text',
  customerAccountName: 'name',
  customerAccountNumber: 'accountNumber',
  paymentDescription: 'text',
  mandateDescription: 'text',
  merchantReason: 'text',
  customerNote: 'text',
  narration: 'text',
  sourceAccountName: 'name',
  sourceAccountNumber: 'accountNumber',
  senderAccount: 'accountNumber',
  cardDetails: 'nothing',
}
const CUSTOMER: Fields = { name: 'name', email: 'email' }
const PAYER: Fields = { accountName: 'name', accountNumber: 'accountNumber' }

/** Objects, or lists of objects, with personal fields. */
const WITHIN: Readonly<Record<string, Fields>> = {
  customer: CUSTOMER,
  paymentSourceInformation: PAYER,
  accountPayments: PAYER,
  accountDetails: PAYER,
}

interface Body {
  readonly eventType: string
  readonly eventData: { readonly [key: string]: Json }
  readonly metaData?: Json
}

/** Replaces the customer in an event's text. In a settlement event, only the customer's transactions change. */
export function erasedBody(text: string, { pseudonym }: Customer, refs: ReadonlySet<string>): string {
  const body = JSON.parse(text) as Body
  // The payee of a disbursement is not a customer, so a matching reference is a coincidence.
  if (body.eventType.endsWith('_DISBURSEMENT')) return text
  if (body.eventType === 'SETTLEMENT') {
    const transactions = (body.eventData['transactions'] as readonly { readonly [key: string]: Json }[]).map((one) =>
      refs.has(String(one['transactionReference'])) ? erased(one, pseudonym, OF_CUSTOMER) : one,
    )
    return JSON.stringify({ ...body, eventData: { ...body.eventData, transactions } })
  }
  const eventData = erased(body.eventData, pseudonym, OF_CUSTOMER) as { readonly [key: string]: Json }
  const isTheirWallet = 'accountName' in eventData && refs.has(String(eventData['accountNumber']))
  return JSON.stringify({
    ...body,
    eventData: isTheirWallet ? { ...eventData, accountName: pseudonym.name } : eventData,
    ...(body.metaData === undefined ? {} : { metaData: erased(body.metaData, pseudonym, OF_CUSTOMER) }),
  })
}

function erased(value: Json, pseudonym: Pseudonym, fields: Fields): Json {
  if (Array.isArray(value)) return value.map((one: Json) => erased(one, pseudonym, fields))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, erasedField(key, inner, pseudonym, fields)]),
  )
}

function erasedField(key: string, inner: Json, pseudonym: Pseudonym, fields: Fields): Json {
  if (inner === null) return null
  // The merchant's metadata may contain any personal data.
  if (key === 'metaData') return {}
  const within = WITHIN[key]
  if (within !== undefined) return erased(inner, pseudonym, within)
  const by = fields[key]
  if (by === undefined) return inner
  return by === 'nothing' ? {} : pseudonym[by]
}
