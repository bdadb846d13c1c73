import type { Db } from '../../platform/postgres/db.ts'
import { transactionErrors } from './errors.ts'
import type { PaymentRow } from './payment-repository.ts'
import type { TransactionRow } from './repository.ts'
import { type StatusQuery, type StatusRow, selectStatuses } from './status-repository.ts'

/** The part of a payment that a status record shows. */
export type ShownPayment = Pick<
  PaymentRow,
  'method' | 'amount' | 'payerName' | 'payerAccountNumber' | 'payerBankCode' | 'card'
>

/** The content of a status record: a transaction with its payments, oldest first. */
export interface StatusRecord {
  readonly transaction: Pick<
    TransactionRow,
    Exclude<keyof StatusRow & keyof TransactionRow, 'amount' | keyof ShownPayment>
  >
  readonly payments: readonly ShownPayment[]
}

/** Reads one status, through a lane or directly. */
export type ReadStatus = (question: StatusQuery) => Promise<StatusRecord | undefined>

/**
 * Finds transactions with their payments, for a batch of status queries with one SQL query; undefined for those not
 * found.
 */
export async function readStatuses(db: Db, questions: readonly StatusQuery[]): Promise<(StatusRecord | undefined)[]> {
  const results = Map.groupBy(await selectStatuses(db, questions), ({ n }) => n)
  return questions.map((question, n) => recordOf(question, results.get(n) ?? []))
}

/** Picks the transaction of a query. A transaction reference goes before another's equal payment reference. */
function recordOf(question: StatusQuery, found: readonly StatusRow[]): StatusRecord | undefined {
  const { transactionReference, paymentReference } = question
  const named = found.filter((row) => row.transactionReference === transactionReference)
  // The id contains everything of the reference but its prefix, so a row found by id may have another reference.
  const rows = named.length > 0 ? named : found.filter((row) => row.paymentReference === paymentReference)
  const [transaction] = rows
  return transaction && { transaction, payments: rows.filter(isPayment) }
}

const isPayment = (row: StatusRow): row is StatusRow & ShownPayment => row.method !== null

/** Returns a function that reads statuses one by one. */
export const statusReader =
  (db: Db): ReadStatus =>
  async (question) =>
    (await readStatuses(db, [question]))[0]

/** Finds a transaction with its payments by either reference, in either field. */
export async function queryTransaction(
  read: ReadStatus,
  merchantId: bigint,
  {
    transactionReference,
    paymentReference,
  }: { transactionReference?: string | undefined; paymentReference?: string | undefined },
): Promise<StatusRecord> {
  if (transactionReference === undefined && paymentReference === undefined) throw transactionErrors.referenceRequired()
  return found(
    await read({
      merchantId,
      transactionReference: transactionReference || undefined,
      paymentReference: paymentReference ?? transactionReference,
    }),
  )
}

/** Finds a transaction with its payments by its transaction reference alone. */
export const getTransaction = async (
  read: ReadStatus,
  merchantId: bigint,
  transactionReference: string,
): Promise<StatusRecord> => found(await read({ merchantId, transactionReference }))

function found(record: StatusRecord | undefined): StatusRecord {
  if (record === undefined) throw transactionErrors.notFound()
  return record
}
