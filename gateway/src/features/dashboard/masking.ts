/** The fields that identify a customer, in any response of the dashboard. */
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

/** The same response with customers' data masked, for users who may not see it. The server masks, never the browser. */
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

/**
 * Enough to tell two customers apart: the first letter and the host of an email address, the last digits of a number.
 */
export function maskedText(text: string): string {
  const at = text.lastIndexOf('@')
  if (at > 0) return `${text.slice(0, 1)}***${text.slice(at)}`
  if (/^\d{7,}$/.test(text)) return `******${text.slice(-SHOWN_DIGITS)}`
  return `${[...text][0] ?? ''}***`
}
