import type { Db, Tx } from '../../platform/db.ts'
import { sql } from '../../platform/sql.ts'
import { column, type Row, table } from '../../platform/table.ts'

/** Histories that were made up for merchants of the sandbox. */
const histories = table('seeded_history', ['merchantId', 'seed'], {
  merchantId: column<bigint>(),
  /** What all chance in it follows from. */
  seed: column<number>(),
  payments: column<number>(),
  days: column<number>(),
  /** The moment at which it ends. */
  endsAt: column<Date>(),
  /** How many of its days are written. */
  daysDone: column<number>(),
})
export type History = Row<typeof histories>

/** The history of a merchant that follows from a seed, as far as it has come; undefined where it was not begun. */
export const readHistory = (db: Db | Tx, merchantId: bigint, seed: number): Promise<History | undefined> =>
  histories.find(db, { merchantId, seed })

/** Begins a history, unless it was begun before; answers how it was begun. */
export async function beginHistory(tx: Tx, history: History): Promise<History> {
  await histories.insertNew(tx, [history], sql`(merchant_id, seed)`)
  return (await readHistory(tx, history.merchantId, history.seed)) ?? history
}

/** Writes down how many days of a history are written. */
export const setDone = (tx: Tx, history: History): void => histories.update(tx, [history], ['daysDone'])
