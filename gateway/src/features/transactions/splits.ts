import type { IncomeSplitItem } from '@kobo/contract'
import type { Static } from 'typebox'
import type { Merchant, SubAccount } from '../../core/merchants/index.ts'
import { type IncomeSplit, type SplitFault, splitFault } from '../../core/money/splits.ts'
import type { Refusal } from '../../kernel/errors.ts'
import { fromNaira, type Kobo } from '../../kernel/money.ts'
import { millionths, WHOLE } from '../../kernel/percentage.ts'
import { transactionErrors } from './errors.ts'

/** A split as a merchant requests it. Clients send null or 0 for numbers that are not set. */
export type RequestedSplit = Static<typeof IncomeSplitItem>

const NONE: readonly IncomeSplit[] = []
const FAULTS: Readonly<Record<SplitFault, () => Refusal>> = {
  'more than 100 % is split': transactionErrors.splitsAboveWhole,
  'more than 100 % of the fee is borne': transactionErrors.splitFeesAboveWhole,
  'more than the payment': transactionErrors.splitsAbovePayment,
}

/**
 * Returns the agreed splits. Defaults come from the sub account as it is now; later changes do not affect them. Rejects
 * unknown sub accounts, and splits of more than 100 percent or of more than the amount, if that is known.
 */
export function agreeSplits(
  { subAccounts }: Merchant,
  requested: readonly RequestedSplit[],
  amount?: Kobo,
): readonly IncomeSplit[] {
  if (requested.length === 0) return NONE
  const splits = requested.map((item, index) => {
    const subAccount = subAccounts.get(item.subAccountCode)
    if (subAccount === undefined) throw transactionErrors.unknownSubAccount(item.subAccountCode)
    return agreed(item, subAccount, `incomeSplitConfig[${index}]`)
  })
  const fault = splitFault(splits, amount)
  if (fault !== undefined) throw FAULTS[fault]()
  return splits
}

function agreed(item: RequestedSplit, subAccount: SubAccount, field: string): IncomeSplit {
  const percentage = millionths(item.splitPercentage ?? 0)
  const fixed = fromNaira(item.splitAmount ?? 0)
  if (percentage > 0 && fixed !== undefined) throw transactionErrors.splitTwice(field)
  const share =
    fixed === undefined
      ? { millionths: percentage > 0 ? percentage : subAccount.defaultSplit }
      : { kobo: Number(fixed) }
  return { subAccountCode: subAccount.code, share, feeMillionths: feeBorne(item) }
}

/** Returns how much of the fee a sub account bears: as fee bearer the given percentage or all, otherwise nothing. */
function feeBorne({ feeBearer, feePercentage }: RequestedSplit): number {
  if (feeBearer !== true) return 0
  return feePercentage === undefined || feePercentage === null ? WHOLE : millionths(feePercentage)
}
