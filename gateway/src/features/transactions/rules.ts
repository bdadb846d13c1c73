import { checkOpen } from './changes.ts'
import { AMOUNT_MIN, checkRequest } from './draft.ts'
import { agreeSplits } from './splits.ts'

/** The rules for transactions that other features apply before they open or pay one. */
export const transactionRules = { amountMin: AMOUNT_MIN, check: checkRequest, checkOpen, agreeSplits }
