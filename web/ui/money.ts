/** Converts an amount in naira, as the API sends it, to whole kobo. */
export const koboOf = (amount: number): number => Math.round(amount * 100)

/** Formats whole kobo as ₦1,234.50. */
export function koboText(kobo: number): string {
  const digits = String(Math.abs(kobo)).padStart(3, '0')
  return `${kobo < 0 ? '−' : ''}₦${digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ',')}.${digits.slice(-2)}`
}

/** Formats whole kobo as an amount of the API: 1234.50. */
export const plainAmount = (kobo: number): string => koboText(kobo).replaceAll(/[₦,]/g, '')

/** Formats an amount in naira as ₦1,234.50, always with two decimals. */
export const naira = (amount: number): string => koboText(koboOf(amount))

/** Subtracts two amounts in naira without rounding errors. */
export const minus = (one: number, other: number): number => (koboOf(one) - koboOf(other)) / 100

const TYPED_AMOUNT = /^(\d{1,13})(?:\.(\d{1,2}))?$/

/** Converts a typed amount in naira, such as "₦1,234.5", to whole kobo; undefined if it is not an amount. */
export function readKobo(text: string): number | undefined {
  const [, whole, decimals = ''] = TYPED_AMOUNT.exec(text.replace(/[₦,\s]/g, '')) ?? []
  return whole === undefined ? undefined : Number(whole + decimals.padEnd(2, '0'))
}
