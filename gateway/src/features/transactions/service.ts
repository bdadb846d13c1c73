import type { Core } from '../../core/core.ts'
import type { Merchant } from '../../core/merchants/index.ts'
import { type AuditRecord, audit } from '../../core/security/audit.ts'
import type { Shard } from '../../core/shards/index.ts'
import type { Sweep } from '../../core/sweep.ts'
import { type UnitOfWork, unitOfWork } from '../../core/unit-of-work.ts'
import type { Refusal } from '../../kernel/errors.ts'
import type { Lane } from '../../platform/lanes/lane.ts'
import { type Db, inOneQuery } from '../../platform/postgres/db.ts'
import { cancelTransaction, expireTransactions } from './changes.ts'
import { draftTransaction, type NewTransaction } from './draft.ts'
import { transactionErrors } from './errors.ts'
import { insertNote } from './note-repository.ts'
import { type PaymentRow, selectPayments } from './payment-repository.ts'
import {
  existingIds,
  findTransaction,
  insertTransactions,
  lockExpiredTransactions,
  lockTransactionsByReference,
  type TransactionRow,
} from './repository.ts'

export type InitLane = Lane<TransactionRow, TransactionRow>

/** Opens a transaction. Errors that can be found without the database are found before it enters the lane. */
export const initTransaction = (
  { clock, ids, init }: Pick<Core, 'clock' | 'ids'> & { readonly init: InitLane },
  merchant: Merchant,
  requested: NewTransaction,
): Promise<TransactionRow> => init(draftTransaction({ ids, at: clock.now() }, merchant, requested))

/** Writes a batch of new transactions; rejects each whose payment reference is taken. */
export async function writeTransactions(
  db: Db,
  rows: readonly TransactionRow[],
): Promise<(TransactionRow | Refusal)[]> {
  if (await inOneQuery(db, (tx) => insertTransactions(tx, rows))) return [...rows]
  const written = await existingIds(db, rows)
  return rows.map((row) => (written.has(row.id) ? row : transactionErrors.duplicateReference()))
}

/** Writes a draft; returns whether its payment reference was new, which the unique index decides. */
export const openTransaction = ({ tx }: UnitOfWork, draft: TransactionRow): Promise<boolean> =>
  insertTransactions(tx, [draft])

/** A transaction with its payments, oldest first. */
export interface TransactionRecord {
  readonly transaction: TransactionRow
  readonly payments: readonly PaymentRow[]
}

/** Finds the transaction that was opened for a merchant's request at the given time or later. */
export async function openedSince(
  db: Db,
  merchantId: bigint,
  { paymentReference, amount }: Pick<NewTransaction, 'paymentReference' | 'amount'>,
  since: Date,
): Promise<TransactionRecord | undefined> {
  const transaction =
    paymentReference === null ? undefined : await findTransaction(db, merchantId, { paymentReference })
  const isFound = transaction && transaction.createdAt >= since && transaction.amount === amount
  if (!isFound) return undefined
  return { transaction, payments: transaction.amountPaid > 0n ? await selectPayments(db, [transaction]) : [] }
}

/** Cancels an unpaid transaction. */
export const cancelByReference = (
  core: Core,
  merchantId: bigint,
  transactionReference: string,
): Promise<TransactionRecord> =>
  unitOfWork(core, async (unit) => {
    const [transaction] = await lockTransactionsByReference(unit.tx, [{ merchantId, transactionReference }])
    if (transaction === undefined) throw transactionErrors.notFound()
    const isOver = transaction.completedAt === null && transaction.expiresAt <= unit.at
    if (isOver) throw transactionErrors.notCancellable('EXPIRED')
    const cancelled = cancelTransaction(unit, transaction)
    if (cancelled === undefined) throw transactionErrors.notCancellable(transaction.status)
    return { transaction: cancelled, payments: [] }
  })

/** The scheduled work of transactions. It may run late, because an expired transaction takes no money anyway. */
export const transactionSweeps = (core: Core): readonly Sweep[] => [
  {
    name: 'expire transactions',
    runShard: (shard, at, limit) => unitOfWork(core, (unit) => expireDue(unit, shard, at, limit)),
  },
]

/** Ends expired transactions; returns how many. */
async function expireDue(unit: UnitOfWork, shard: Shard, at: Date, limit: number): Promise<number> {
  const due = await lockExpiredTransactions(unit.tx, shard, at, limit)
  expireTransactions(unit, due)
  return due.length
}

/** Adds an internal note to a transaction. The audit log has the author, not the text. */
export async function addNote(
  core: Core,
  merchantId: bigint,
  transactionReference: string,
  note: { readonly author: string; readonly text: string },
  by: Pick<AuditRecord, 'actor' | 'name' | 'address'>,
): Promise<void> {
  await unitOfWork(core, async (unit) => {
    const transaction = await findTransaction(unit.tx, merchantId, { transactionReference })
    if (transaction === undefined) throw transactionErrors.notFound()
    insertNote(unit.tx, {
      merchantId,
      id: unit.ids.id(),
      transactionId: transaction.id,
      ...note,
      createdAt: unit.at,
    })
    audit(unit, { ...by, merchantId, act: 'transaction.note', reference: transactionReference })
  })
}
