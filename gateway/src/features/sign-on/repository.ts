import type { Db, Tx } from '../../platform/postgres/db.ts'
import { deleteBatch } from '../../platform/postgres/delete-in-batches.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { column, type Row, table } from '../../platform/postgres/table.ts'

const attempts = table('sign_on_attempt', ['tokenHash'], {
  tokenHash: column<string>(),
  merchantId: column<bigint>(),
  linkHash: column<string | null>(),
  sessionId: column<bigint | null>(),
  expiresAt: column<Date>(),
})
export type AttemptRow = Row<typeof attempts>

export const insertAttempt = (tx: Tx, row: AttemptRow): void => attempts.insert(tx, [row])

/** Uses up an attempt; returns it if it was open. */
export async function useAttempt(
  tx: Tx,
  merchantId: bigint,
  tokenHash: string,
  at: Date,
): Promise<AttemptRow | undefined> {
  const [row] = await tx<AttemptRow[]>`
    delete from sign_on_attempt where token_hash = ${tokenHash} and merchant_id = ${merchantId} and expires_at > ${at}
    returning ${attempts.columns}`
  return row
}

/** Deletes attempts that no one finished; returns how many. */
export const deleteAttempts = (db: Db, before: Date, limit: number): Promise<number> =>
  deleteBatch(db, attempts, sql`expires_at < ${before}`, limit, 'expiresAt')
