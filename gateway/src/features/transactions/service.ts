import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX, type ProductType } from '@kobo/contract'
import type { Contract, Merchant } from '../../core/merchants/index.ts'
import { payableFor } from '../../core/pricing.ts'
import { INSTANT } from '../../core/settlement-cycle/index.ts'
import type { IncomeSplit } from '../../core/splits.ts'
import type { Sweep } from '../../core/sweep.ts'
import type { Clock } from '../../kernel/clock.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { invariant, type Refusal } from '../../kernel/errors.ts'
import type { IdSource } from '../../kernel/ids.ts'
import { next } from '../../kernel/machine.ts'
import { type Kobo, kobo, toNaira, ZERO } from '../../kernel/money.ts'
import { type Db, inOneStatement, inTransaction, type Tx } from '../../platform/db.ts'
import type { Lane } from '../../platform/lanes.ts'
import { transactionErrors } from './errors.ts'
import { type TransactionTrigger, transactionMachine } from './machine.ts'
import {
  countTransactions,
  existingIds,
  findTransaction,
  insertTransactions,
  lockDueTransactions,
  lockTransactionsByReference,
  type PaymentRow,
  selectPayments,
  selectTransactions,
  type TransactionFilter,
  type TransactionRow,
  updateTransactions,
} from './repository.ts'

import { agreeSplits, type WantedSplit } from './splits.ts'

const AMOUNT_MIN = kobo(2_000n)

/** What a merchant asks for when it initializes a transaction. */
export interface NewTransaction {
  readonly amount: Kobo
  readonly paymentReference: string
  readonly contractCode: string
  readonly currencyCode: string
  readonly customerName: string | null
  readonly customerEmail: string
  readonly paymentDescription: string | null
  readonly redirectUrl: string | null
  /** Empty where not restricted. */
  readonly paymentMethods: readonly string[]
  readonly incomeSplitConfig: readonly WantedSplit[]
  /** In place of the above where the splits were agreed on before, as those of a reserved account. */
  readonly agreedSplits?: readonly IncomeSplit[]
  readonly metaData: Record<string, unknown>
  /** How it came about; the hosted checkout unless said otherwise. */
  readonly productType?: ProductType
  /** The payment reference unless said otherwise. */
  readonly productReference?: string
  /** After the contract's duration unless said otherwise. */
  readonly expiresAt?: Date
  readonly invoiceReference?: string
  readonly reservedAccountId?: bigint | undefined
}

export type InitLane = Lane<TransactionRow, TransactionRow>

/** Opens a transaction. What can be refused without the database is refused before the lane. */
export const initTransaction = async (
  { clock, ids, init }: { readonly clock: Clock; readonly ids: IdSource; readonly init: InitLane },
  merchant: Merchant,
  wanted: NewTransaction,
): Promise<TransactionRow> => init(draftTransaction({ ids, at: clock.now() }, merchant, wanted))

/** A new transaction on the merchant's terms, not yet written; refuses what the terms do not allow. */
export function draftTransaction(
  { ids, at }: { readonly ids: IdSource; readonly at: Date },
  merchant: Merchant,
  wanted: NewTransaction,
): TransactionRow {
  const contract = checkTerms(merchant, wanted)
  const splits = wanted.agreedSplits ?? agreeSplits(merchant, wanted.incomeSplitConfig, wanted.amount)
  const { id, transactionReference } = ids.transaction()
  return {
    merchantId: merchant.id,
    id,
    transactionReference,
    paymentReference: wanted.paymentReference,
    contractCode: contract.code,
    status: 'PENDING',
    amount: wanted.amount,
    payable: payableFor(wanted.amount, contract),
    currencyCode: wanted.currencyCode,
    paymentDescription: wanted.paymentDescription,
    customerName: wanted.customerName,
    customerEmail: wanted.customerEmail,
    redirectUrl: wanted.redirectUrl,
    paymentMethods: wanted.paymentMethods.length > 0 ? wanted.paymentMethods : contract.paymentMethods,
    incomeSplitConfig: splits.length > 0 ? splits : null,
    metaData: wanted.metaData,
    productType: wanted.productType ?? 'WEB_SDK',
    productReference: wanted.productReference ?? wanted.paymentReference,
    feeBearer: contract.feeBearer,
    feeBasisPoints: contract.feeBasisPoints,
    feeCap: contract.feeCap,
    feeFlat: contract.feeFlat,
    underpayment: contract.underpayment,
    createdAt: at,
    expiresAt: wanted.expiresAt ?? secondsAfter(at, contract.accountDurationSeconds),
    completedAt: null,
    amountPaid: ZERO,
    fee: ZERO,
    paymentMethod: null,
    paidAt: null,
    invoiceReference: wanted.invoiceReference ?? null,
    settlementCycle: contract.settlement === INSTANT ? INSTANT : contract.settlementTime,
    settlesAt: null,
    reservedAccountId: wanted.reservedAccountId ?? null,
  }
}

function checkTerms(merchant: Merchant, wanted: NewTransaction): Contract {
  if (wanted.amount < AMOUNT_MIN) throw transactionErrors.amountTooSmall(toNaira(AMOUNT_MIN))
  const contract = merchant.contracts.get(wanted.contractCode)
  if (contract === undefined) throw transactionErrors.unknownContract()
  if (wanted.currencyCode !== contract.currencyCode) throw transactionErrors.unknownCurrency()
  const notEnabled = wanted.paymentMethods.find((method) => !contract.paymentMethods.includes(method))
  if (notEnabled !== undefined) throw transactionErrors.methodNotEnabled(notEnabled)
  return contract
}

/** Writes a set of new transactions; each whose payment reference is taken is refused. */
export async function writeTransactions(
  db: Db,
  rows: readonly TransactionRow[],
): Promise<(TransactionRow | Refusal)[]> {
  if (await inOneStatement(db, (tx) => insertTransactions(tx, rows))) return [...rows]
  const written = await existingIds(db, rows)
  return rows.map((row) => (written.has(row.id) ? row : transactionErrors.duplicateReference()))
}

export interface TransactionRecord {
  readonly transaction: TransactionRow
  readonly payments: readonly PaymentRow[]
}

/** Finds a transaction with its payments by either reference, whichever of the two it is given as. */
export async function queryTransaction(
  db: Db,
  merchantId: bigint,
  {
    transactionReference,
    paymentReference,
  }: { transactionReference?: string | undefined; paymentReference?: string | undefined },
): Promise<TransactionRecord> {
  if (transactionReference === undefined && paymentReference === undefined) throw transactionErrors.referenceRequired()
  const transaction =
    (transactionReference && (await findTransaction(db, merchantId, { transactionReference }))) ||
    (await findTransaction(db, merchantId, { paymentReference: paymentReference ?? transactionReference ?? '' }))
  return withPayments(db, transaction)
}

/** Finds a transaction with its payments by its transaction reference alone. */
export const getTransaction = async (
  db: Db,
  merchantId: bigint,
  transactionReference: string,
): Promise<TransactionRecord> => withPayments(db, await findTransaction(db, merchantId, { transactionReference }))

async function withPayments(db: Db, transaction: TransactionRow | undefined): Promise<TransactionRecord> {
  if (transaction === undefined) throw transactionErrors.notFound()
  return { transaction, payments: transaction.amountPaid > 0n ? await selectPayments(db, [transaction]) : [] }
}

/** A page of transactions, newest first, and how many there are in all. */
export async function searchTransactions(
  db: Db,
  merchantId: bigint,
  filter: TransactionFilter,
  { page = 0, size = PAGE_SIZE_DEFAULT }: { page?: number | undefined; size?: number | undefined },
): Promise<{ rows: TransactionRow[]; total: number; page: number; size: number }> {
  const limit = Math.min(size, PAGE_SIZE_MAX)
  const [rows, total] = await Promise.all([
    selectTransactions(db, merchantId, filter, limit, page * limit),
    countTransactions(db, merchantId, filter),
  ])
  return { rows, total, page, size: limit }
}

/** Cancels a transaction that nobody has paid. */
export const cancelTransaction = (
  db: Db,
  clock: Clock,
  merchantId: bigint,
  transactionReference: string,
): Promise<TransactionRecord> =>
  inTransaction(db, async (tx) => {
    const [transaction] = await lockTransactionsByReference(tx, [{ merchantId, transactionReference }])
    if (transaction === undefined) throw transactionErrors.notFound()
    const at = clock.now()
    const present = transaction.completedAt === null && transaction.expiresAt <= at ? 'EXPIRED' : transaction.status
    const after = present === transaction.status ? cancelled(transaction, at) : undefined
    if (after === undefined) throw transactionErrors.notCancellable(present)
    await updateTransactions(tx, [after])
    return { transaction: after, payments: [] }
  })

/** The transaction after it was cancelled, or undefined where it cannot be: a debit is with the customer's bank from the start. */
export const cancelled = (transaction: TransactionRow, at: Date): TransactionRow | undefined =>
  transaction.productType === 'DIRECT_DEBIT' ? undefined : moved(transaction, 'cancel', at)

/** The transaction after a payment was declined, or undefined where nothing was to be paid. It may still be paid until it expires. */
export function declined(transaction: TransactionRow): TransactionRow | undefined {
  const status = next(transactionMachine, transaction.status, 'decline')
  return status === undefined ? undefined : { ...transaction, status }
}

/** What falls due of transactions. Being late changes nothing: a transaction that is over takes no money. */
export const transactionSweeps = ({ db }: { readonly db: Db }): readonly Sweep[] => [
  { name: 'expire transactions', run: (at, limit) => inTransaction(db, (tx) => expireTransactions(tx, at, limit)) },
]

/** Ends transactions whose time is over; what was partly paid is kept. Answers how many. */
async function expireTransactions(tx: Tx, at: Date, limit: number): Promise<number> {
  const due = await lockDueTransactions(tx, at, limit)
  if (due.length > 0) await updateTransactions(tx, due.map(expired))
  return due.length
}

/** An open transaction after its time is over. */
export function expired(transaction: TransactionRow): TransactionRow {
  const ended = moved(transaction, 'expire', transaction.expiresAt)
  invariant(ended !== undefined, `an open transaction that is ${transaction.status} can expire`)
  return ended
}

/** The transaction after a trigger that completes it, or undefined where its machine has no such move. */
function moved(transaction: TransactionRow, trigger: TransactionTrigger, at: Date): TransactionRow | undefined {
  const status = next(transactionMachine, transaction.status, trigger)
  return status === undefined ? undefined : { ...transaction, status, completedAt: at }
}

/** Refuses a transaction on which no payment can be started any more. */
export function checkOpen(
  { status, completedAt, expiresAt }: Pick<TransactionRow, 'status' | 'completedAt' | 'expiresAt'>,
  at: Date,
): Refusal | undefined {
  if (status === 'PAID' || status === 'OVERPAID') return transactionErrors.alreadyPaid()
  if (status === 'CANCELLED') return transactionErrors.cancelled()
  return completedAt !== null || expiresAt <= at ? transactionErrors.expired() : undefined
}
