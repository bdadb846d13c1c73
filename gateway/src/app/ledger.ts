import {
  canStoreResults,
  databaseCheckpoints,
  fileCheckpoints,
  ignoringPrevious,
  isClean,
  type LedgerVerdict,
  markClean,
  type ShardScopes,
  type VerificationOptions,
  type VerificationProgress,
  verifyAllMerchants,
} from '../core/money/ledger/index.ts'
import { openShards, shardScope } from '../core/shards/index.ts'
import type { Db } from '../platform/postgres/db.ts'
import { LEDGER_CHECKS } from './features.ts'

/** Verifies the ledger from the given checkpoints, or all of it without them. Stores nothing but checkpoints. */
export async function verifyLedger(db: Db, options: VerificationOptions = {}): Promise<LedgerVerdict> {
  const shards = await openShards(db)
  const shardScopes: ShardScopes = { of: shards.of, ofEach: (run) => shards.ofEach((shard) => run(shardScope(shard))) }
  return verifyAllMerchants(db, LEDGER_CHECKS, shardScopes, options)
}

export interface LedgerVerification {
  /** Verifies from the beginning and ignores the checkpoints. */
  readonly isWhole: boolean
  /** A file for the checkpoints, because a standby cannot store them in its database. */
  readonly checkpointFile: string | undefined
  /** When the verification runs, in real time. */
  readonly at: Date
  readonly onProgress: (progress: VerificationProgress) => void
}

/**
 * Verifies the ledger from the last checkpoints, or all of it. Stores new checkpoints and, if all is correct, the time.
 */
export async function runVerification(db: Db, requested: LedgerVerification): Promise<LedgerVerdict> {
  const { isWhole, checkpointFile, at, onProgress } = requested
  const mayWrite = await canStoreResults(db)
  const file = checkpointFile === undefined ? undefined : fileCheckpoints(checkpointFile)
  const checkpoints = file ?? databaseCheckpoints(db, mayWrite)
  const verdict = await verifyLedger(db, {
    checkpoints: isWhole ? ignoringPrevious(checkpoints) : checkpoints,
    onProgress,
  })
  file?.save()
  if (isClean(verdict) && mayWrite) await markClean(db, at, verdict.isWhole)
  return verdict
}
