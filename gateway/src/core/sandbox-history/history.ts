import type { Db, Tx } from '../../platform/postgres/db.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { column, type Row, table } from '../../platform/postgres/table.ts'

/** Generated histories of sandbox merchants. */
const histories = table('seeded_history', ['merchantId', 'seed'], {
  merchantId: column<bigint>(),
  /** The seed of all random choices. */
  seed: column<number>(),
  payments: column<number>(),
  days: column<number>(),
  endsAt: column<Date>(),
  /** The number of days written so far. */
  daysDone: column<number>(),
})
export type History = Row<typeof histories>

/** Reads a merchant's history by seed, with its progress; undefined if it was not started. */
export const readHistory = (db: Db | Tx, merchantId: bigint, seed: number): Promise<History | undefined> =>
  histories.find(db, { merchantId, seed })

/** Starts a history unless it exists; returns it. */
export async function beginHistory(tx: Tx, history: History): Promise<History> {
  await histories.insertNew(tx, [history], sql`(merchant_id, seed)`)
  return (await readHistory(tx, history.merchantId, history.seed)) ?? history
}

export const setDone = (tx: Tx, history: History): void => histories.update(tx, [history], ['daysDone'])

/** Lets a transaction run long: one transaction computes a day of thousands of payments. */
export async function withoutTimeouts(tx: Tx): Promise<void> {
  await tx`set local idle_in_transaction_session_timeout = 0`
  await tx`set local statement_timeout = 0`
}
