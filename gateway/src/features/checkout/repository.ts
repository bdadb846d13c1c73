import type { Db, Tx } from '../../platform/postgres/db.ts'
import { column, type Row, table } from '../../platform/postgres/table.ts'

const checkoutFrames = table('checkout_frame', ['merchantId', 'transactionId'], {
  merchantId: column<bigint>(),
  transactionId: column<bigint>(),
  /** The site that may show the transaction's checkout in a frame. */
  origin: column<string>(),
})

/** Records which site may show a transaction's checkout in a frame. */
export const insertFrame = (tx: Tx, row: Row<typeof checkoutFrames>): void => checkoutFrames.insert(tx, [row])

/** Finds the site that may show a transaction's checkout in a frame, if any. */
export const findFrame = async (db: Db, merchantId: bigint, transactionId: bigint): Promise<string | undefined> =>
  (await checkoutFrames.find(db, { merchantId, transactionId }))?.origin
