import { askLedger, type LedgerQuestion, type LedgerVerdict } from '../core/money/ledger/index.ts'
import { inFlightIsWhatIsUnderWay } from '../core/orders/index.ts'
import { heldByPaycodes } from '../features/paycodes/index.ts'
import { settlementQuestions } from '../features/settlements/index.ts'
import { transactionQuestions } from '../features/transactions/index.ts'
import type { Db } from '../platform/db.ts'

/** What must hold in the books beyond the ledger's own rules, feature by feature. */
const QUESTIONS: readonly LedgerQuestion[] = [
  ...transactionQuestions,
  ...settlementQuestions,
  inFlightIsWhatIsUnderWay(heldByPaycodes),
]

/** Proves the books on the whole database. */
export const verifyLedger = (db: Db): Promise<LedgerVerdict> => askLedger(db, QUESTIONS)
