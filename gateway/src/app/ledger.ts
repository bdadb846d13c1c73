import { askLedger, type LedgerQuestion, type LedgerVerdict } from '../core/ledger/index.ts'
import { inFlightIsWhatIsUnderWay } from '../core/orders/index.ts'
import { heldByPaycodes } from '../features/paycodes/index.ts'
import { payablesAreWhatIsToBeSettled, settlementsAreSumsOfTransactions } from '../features/settlements/index.ts'
import { transactionsAreSumsOfPayments } from '../features/transactions/index.ts'
import type { Db } from '../platform/db.ts'

/** What features ask of the books. */
const QUESTIONS: readonly LedgerQuestion[] = [
  transactionsAreSumsOfPayments,
  settlementsAreSumsOfTransactions,
  payablesAreWhatIsToBeSettled,
  inFlightIsWhatIsUnderWay(heldByPaycodes),
]

/** Proves the books on the whole database. */
export const verifyLedger = (db: Db): Promise<LedgerVerdict> => askLedger(db, QUESTIONS)
