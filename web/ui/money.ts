/** An amount in naira, as the API sends it, in whole kobo. */
export const koboOf = (amount: number): number => Math.round(amount * 100)

/** Whole kobo as ₦1,234.50. */
export function koboText(kobo: number): string {
  const digits = String(Math.abs(kobo)).padStart(3, '0')
  return `${kobo < 0 ? '−' : ''}₦${digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ',')}.${digits.slice(-2)}`
}

/** Whole kobo as the API reads an amount: 1234.50. */
export const plainAmount = (kobo: number): string => koboText(kobo).replaceAll(/[₦,]/g, '')

/** An amount in naira as ₦1,234.50, always with two decimals. */
export const naira = (amount: number): string => koboText(koboOf(amount))

/** The exact difference of two amounts in naira. */
export const minus = (one: number, other: number): number => (koboOf(one) - koboOf(other)) / 100

const TYPED_AMOUNT = /^(\d{1,13})(?:\.(\d{1,2}))?$/

/** Reads an amount that someone typed in naira, such as "₦1,234.5", as whole kobo; undefined if it is not an amount. */
export function readKobo(text: string): number | undefined {
  const [, whole, decimals = ''] = TYPED_AMOUNT.exec(text.replace(/[₦,\s]/g, '')) ?? []
  return whole === undefined ? undefined : Number(whole + decimals.padEnd(2, '0'))
}
