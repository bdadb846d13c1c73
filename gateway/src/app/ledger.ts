import {
  afresh,
  canKeep,
  inDatabase,
  inFile,
  isClean,
  type LedgerVerdict,
  markClean,
  prove,
  type Together,
  type VerificationOptions,
  type VerificationProgress,
} from '../core/money/ledger/index.ts'
import { openShards, shardScope } from '../core/shards/index.ts'
import type { Db } from '../platform/postgres/db.ts'
import { LEDGER_CHECKS } from './features.ts'

/** Proves the books, all of them unless there are checkpoints. Keeps nothing but these. */
export async function verifyLedger(db: Db, options: VerificationOptions = {}): Promise<LedgerVerdict> {
  const shards = await openShards(db)
  const together: Together = { of: shards.of, ofEach: (run) => shards.ofEach((shard) => run(shardScope(shard))) }
  return prove(db, LEDGER_CHECKS, together, options)
}

/** How the books are proven, and where is kept how far they are. */
export interface LedgerVerification {
  /** From the beginning, whatever was proven before. */
  readonly isWhole: boolean
  /** The file that keeps checkpoints, in place of the database: for a standby, which keeps nothing itself. */
  readonly checkpointFile: string | undefined
  /** Real time. */
  readonly at: Date
  readonly onProgress: (progress: VerificationProgress) => void
}

/** Proves the books from the last checkpoints on, or the whole, and keeps how far they are proven, and when they were right. */
export async function runVerification(db: Db, requested: LedgerVerification): Promise<LedgerVerdict> {
  const { isWhole, checkpointFile, at, onProgress } = requested
  const mayWrite = await canKeep(db)
  const file = checkpointFile === undefined ? undefined : inFile(checkpointFile)
  const checkpoints = file ?? inDatabase(db, mayWrite)
  const verdict = await verifyLedger(db, { checkpoints: isWhole ? afresh(checkpoints) : checkpoints, onProgress })
  file?.save()
  if (isClean(verdict) && mayWrite) await markClean(db, at, verdict.isWhole)
  return verdict
}
