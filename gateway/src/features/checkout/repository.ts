import type { Db, Tx } from '../../platform/db.ts'
import type { TransactionKey } from '../transactions/index.ts'

/** Writes down which site may show a transaction's checkout in a frame. */
export async function insertFrame(tx: Tx, { merchantId, id }: TransactionKey, origin: string): Promise<void> {
  await tx`insert into checkout_frame (merchant_id, transaction_id, origin) values (${merchantId}, ${id}, ${origin})`
}

/** The site that may show a transaction's checkout in a frame, if any. */
export async function findFrame(db: Db, { merchantId, id }: TransactionKey): Promise<string | undefined> {
  const [row] = await db<{ origin: string }[]>`
    select origin from checkout_frame where merchant_id = ${merchantId} and transaction_id = ${id}`
  return row?.origin
}
