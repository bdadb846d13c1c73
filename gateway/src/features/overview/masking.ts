/** What tells who a payer is, wherever it stands in an answer to the dashboard. */
const PAYER_FIELDS: ReadonlySet<string> = new Set([
  'customerName',
  'customerEmail',
  'customerId',
  'payerName',
  'payerAccountName',
  'payerAccountNumber',
  'beneficiaryName',
  'accountHolder',
])
const SHOWN_DIGITS = 4

/** The same answer for somebody who may not know who payers are. It is made here: what is masked leaves the server masked. */
export function masked<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(masked) as Value
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      PAYER_FIELDS.has(key) && typeof inner === 'string' ? maskedText(inner) : masked(inner),
    ]),
  ) as Value
}

/** As much as lets one tell two payers apart: the first letter and the host of an address, the last digits of a number. */
export function maskedText(text: string): string {
  const at = text.lastIndexOf('@')
  if (at > 0) return `${text.slice(0, 1)}***${text.slice(at)}`
  if (/^\d{7,}$/.test(text)) return `******${text.slice(-SHOWN_DIGITS)}`
  return `${[...text][0] ?? ''}***`
}
