import type { ReservedAccountSplit } from '@kobo/contract'
import type { Static } from 'typebox'
import type { Merchant } from '../../core/merchants/index.ts'
import { randomCode } from '../../kernel/ids.ts'
import { kobo, toNaira } from '../../kernel/money.ts'
import { toPercentage, WHOLE } from '../../kernel/percentage.ts'
import { type RequestedSplit, transactionRules } from '../transactions/index.ts'
import type { ReservedAccountRow } from './repository.ts'

const SPLIT_CONFIG_CODE_LENGTH = 10

type Splitting = Pick<ReservedAccountRow, 'incomeSplitConfig' | 'agreedSplits' | 'splitConfigCode'>

/** Returns the splits of an account's future payments, under a new code. Rejects invalid splits. */
export const splitting = (merchant: Merchant, items: readonly RequestedSplit[]): Splitting => ({
  incomeSplitConfig: items,
  agreedSplits: transactionRules.agreeSplits(merchant, items),
  splitConfigCode: randomCode(SPLIT_CONFIG_CODE_LENGTH),
})

export function feeBearerOf({ agreedSplits }: Splitting): 'MERCHANT_ONLY' | 'SUB_ACCOUNT_ONLY' | 'SHARED' {
  const borne = agreedSplits.reduce((sum, { feeMillionths }) => sum + feeMillionths, 0)
  if (borne === 0) return 'MERCHANT_ONLY'
  return borne >= WHOLE ? 'SUB_ACCOUNT_ONLY' : 'SHARED'
}

/** Shows the splits of an account's payments: as the merchant sent them, with the agreed shares. */
export const showSplits = ({
  incomeSplitConfig,
  agreedSplits,
  splitConfigCode,
}: Splitting): Static<typeof ReservedAccountSplit>[] =>
  incomeSplitConfig.map(({ subAccountCode, feePercentage, feeBearer }, index) => {
    const { share = { millionths: 0 } } = agreedSplits[index] ?? {}
    return {
      subAccountCode,
      feePercentage: Number(feePercentage ?? 0),
      feeBearer: feeBearer ?? false,
      splitPercentage: 'millionths' in share ? toPercentage(share.millionths) : 0,
      ...('kobo' in share ? { splitAmount: toNaira(kobo(BigInt(share.kobo))) } : {}),
      reservedAccountConfigCode: splitConfigCode,
    }
  })
