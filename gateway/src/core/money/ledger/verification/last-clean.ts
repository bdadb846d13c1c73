import { type Db, inTransaction } from '../../../../platform/postgres/db.ts'

/** Whether results can be stored: not on a standby or with a read-only role. */
export async function canStoreResults(db: Db): Promise<boolean> {
  const [row] = await db<{ can: boolean }[]>`
    select current_setting('transaction_read_only') = 'off'
           and has_table_privilege('ledger_proof', 'insert') and has_table_privilege('ledger_proof', 'update') as can`
  return row?.can === true
}

/** When the ledger was last found correct, by real time and not by a sandbox's clock; null if never. */
export interface LastClean {
  readonly sinceCheckpointsAt: Date | null
  readonly wholeAt: Date | null
}

export async function readLastClean(db: Db): Promise<LastClean> {
  const [row] = await db<LastClean[]>`select since_checkpoints_at, whole_at from ledger_last_clean`
  return row ?? { sinceCheckpointsAt: null, wholeAt: null }
}

/** Records that the ledger was found correct. A full verification also counts as an incremental one. */
export const markClean = (db: Db, at: Date, isWhole: boolean): Promise<unknown> =>
  inTransaction(
    db,
    (tx) => tx`
      update ledger_last_clean
         set since_checkpoints_at = ${at}, whole_at = case when ${isWhole} then ${at}::timestamptz else whole_at end`,
  )
