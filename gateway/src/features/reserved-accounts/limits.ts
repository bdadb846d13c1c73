import { add, type Kobo, ZERO } from '../../kernel/money.ts'
import type { Limits } from '../limit-profiles/index.ts'

/** The payments into an account on a day. */
export interface Usage {
  readonly value: Kobo
  readonly volume: number
}

export const NO_USAGE: Usage = { value: ZERO, volume: 0 }

/** Returns the day's payments after one more payment. */
export const withPayment = ({ value, volume }: Usage, amount: Kobo): Usage => ({
  value: add(value, amount),
  volume: volume + 1,
})

/** Whether one more payment stays within the limits, which are inclusive. */
export function isWithin(limits: Limits, usage: Usage, amount: Kobo): boolean {
  const after = withPayment(usage, amount)
  return (
    amount <= limits.singleTransactionValue &&
    after.value <= limits.dailyTransactionValue &&
    after.volume <= limits.dailyTransactionVolume
  )
}
