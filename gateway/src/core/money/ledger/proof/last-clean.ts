import { type Db, inTransaction } from '../../../../platform/db.ts'

/** Whether the proof may keep something in the database: not on a standby, nor by a role that may only read. */
export async function canKeep(db: Db): Promise<boolean> {
  const [row] = await db<{ can: boolean }[]>`
    select current_setting('transaction_read_only') = 'off'
           and has_table_privilege('ledger_proof', 'insert') and has_table_privilege('ledger_proof', 'update') as can`
  return row?.can === true
}

/** When the books were last found right, in real time; null where they never were. */
export interface LastClean {
  readonly sinceCheckpointsAt: Date | null
  readonly wholeAt: Date | null
}

export async function readLastClean(db: Db): Promise<LastClean> {
  const [row] = await db<LastClean[]>`select since_checkpoints_at, whole_at from ledger_last_clean`
  return row ?? { sinceCheckpointsAt: null, wholeAt: null }
}

/** Writes down that the books were found right. The whole counts as what is new, too. */
export const markClean = (db: Db, at: Date, isWhole: boolean): Promise<unknown> =>
  inTransaction(
    db,
    (tx) => tx`
      update ledger_last_clean
         set since_checkpoints_at = ${at}, whole_at = case when ${isWhole} then ${at}::timestamptz else whole_at end`,
  )
