/** Naira as people write it: ₦1,234.50, always with two decimals. */
export function naira(amount: number): string {
  const [whole = '0', kobo = '00'] = Math.abs(amount).toFixed(2).split('.')
  return `${amount < 0 ? '−' : ''}₦${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${kobo}`
}

/** Sums and differences of naira without the dust that binary fractions leave. */
export const minus = (one: number, other: number): number => (Math.round(one * 100) - Math.round(other * 100)) / 100
