import { costQuestions } from '../core/money/credits/index.ts'
import { debtsAreWhatIsOwed } from '../core/money/debts.ts'
import {
  afresh,
  canKeep,
  inDatabase,
  inFile,
  isClean,
  type LedgerVerdict,
  markClean,
  type ProofOptions,
  type ProofProgress,
  prove,
  type Questions,
  readLastClean,
  type Together,
} from '../core/money/ledger/index.ts'
import { reserveQuestions, reservesAreWhatIsKeptBack } from '../core/money/reserve/index.ts'
import { walletQuestions } from '../core/money/wallet-balances/index.ts'
import { orderQuestions } from '../core/orders/index.ts'
import { openShards, whose } from '../core/shards/index.ts'
import { billQuestions } from '../features/bills/index.ts'
import { cardQuestions } from '../features/cards/index.ts'
import { directDebitQuestions } from '../features/direct-debit/index.ts'
import { disbursementQuestions } from '../features/disbursements/index.ts'
import { disputeQuestions } from '../features/disputes/index.ts'
import { overviewQuestions } from '../features/overview/index.ts'
import { paycodeQuestions } from '../features/paycodes/index.ts'
import { reconciliationQuestions } from '../features/reconciliation/index.ts'
import { refundQuestions } from '../features/refunds/index.ts'
import { returnQuestions } from '../features/returns/index.ts'
import { payablesAreWhatIsToBeSettled, settlementQuestions } from '../features/settlements/index.ts'
import { transactionQuestions } from '../features/transactions/index.ts'
import { verificationQuestions } from '../features/verification/index.ts'
import { topUpQuestions } from '../features/wallets/index.ts'
import type { Db } from '../platform/db.ts'
import type { Metrics } from '../platform/metrics.ts'

/** What must hold in the books beyond the ledger's own rules, feature by feature. */
const QUESTIONS: Questions = {
  ofRows: [
    ...walletQuestions,
    orderQuestions,
    ...transactionQuestions,
    ...cardQuestions,
    ...disbursementQuestions,
    ...refundQuestions,
    ...disputeQuestions,
    ...returnQuestions,
    ...costQuestions,
    ...reconciliationQuestions,
    ...settlementQuestions,
    ...reserveQuestions,
    ...directDebitQuestions,
    ...paycodeQuestions,
    ...billQuestions,
    ...topUpQuestions,
    ...verificationQuestions,
    ...overviewQuestions,
  ],
  ofState: [payablesAreWhatIsToBeSettled, debtsAreWhatIsOwed, reservesAreWhatIsKeptBack],
}

/** Proves the books, all of them unless there are checkpoints. Keeps nothing but these. */
export async function verifyLedger(db: Db, options: ProofOptions = {}): Promise<LedgerVerdict> {
  const shards = await openShards(db)
  const together: Together = { of: shards.of, ofEach: (ask) => shards.ofEach((shard) => ask(whose(shard))) }
  return prove(db, QUESTIONS, together, options)
}

/** How the books are proven, and where is kept how far they are. */
export interface ProofWanted {
  /** From the beginning, whatever was proven before. */
  readonly isWhole: boolean
  /** The file that keeps checkpoints, in place of the database: for a standby, which keeps nothing itself. */
  readonly checkpointFile: string | undefined
  /** Real time. */
  readonly at: Date
  readonly onProgress: (progress: ProofProgress) => void
}

/** Proves the books from the last checkpoints on, or the whole, and keeps how far they are proven, and when they were right. */
export async function proveBooks(db: Db, wanted: ProofWanted): Promise<LedgerVerdict> {
  const { isWhole, checkpointFile, at, onProgress } = wanted
  const mayWrite = await canKeep(db)
  const file = checkpointFile === undefined ? undefined : inFile(checkpointFile)
  const kept = file ?? inDatabase(db, mayWrite)
  const verdict = await verifyLedger(db, { checkpoints: isWhole ? afresh(kept) : kept, onProgress })
  file?.save()
  if (isClean(verdict) && mayWrite) await markClean(db, at, verdict.isWhole)
  return verdict
}

/** Measures when the books were last found right, so that someone can be woken when that is too long ago. */
export const measureLastClean = (metrics: Metrics, db: Db): void =>
  metrics.sharedGauge(
    'kobo_ledger_last_clean_timestamp_seconds',
    'When the books were last proven and found right, in Unix time; missing where they never were',
    'proof',
    async () => {
      const { sinceCheckpointsAt, wholeAt } = await readLastClean(db)
      return (
        [
          ['since checkpoints', sinceCheckpointsAt],
          ['whole', wholeAt],
        ] as const
      ).flatMap(([proof, at]) => (at === null ? [] : [[proof, at.getTime() / 1_000] as const]))
    },
  )
