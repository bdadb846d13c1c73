import type { Db } from '../../platform/db.ts'
import { transactionErrors } from './errors.ts'
import type { PaymentRow } from './payment-repository.ts'
import type { TransactionRow } from './repository.ts'
import { type StatusQuestion, type StatusRow, selectStatuses } from './status-repository.ts'

/** What a status record shows of a payment. */
export type ShownPayment = Pick<
  PaymentRow,
  'method' | 'amount' | 'payerName' | 'payerAccountNumber' | 'payerBankCode' | 'card'
>

/** What a status record shows: a transaction with its payments, oldest first. */
export interface StatusRecord {
  readonly transaction: Pick<
    TransactionRow,
    Exclude<keyof StatusRow & keyof TransactionRow, 'amount' | keyof ShownPayment>
  >
  readonly payments: readonly ShownPayment[]
}

/** Answers one question, through a lane or by itself. */
export type ReadStatus = (question: StatusQuestion) => Promise<StatusRecord | undefined>

/** Finds transactions with their payments, for a set of questions with one statement; undefined where there is none. */
export async function readStatuses(
  db: Db,
  questions: readonly StatusQuestion[],
): Promise<(StatusRecord | undefined)[]> {
  const answers = Map.groupBy(await selectStatuses(db, questions), ({ n }) => n)
  return questions.map((question, n) => recordOf(question, answers.get(n) ?? []))
}

/** A reference may be that of one transaction, and the merchant's own reference of another: the former counts. */
function recordOf(question: StatusQuestion, found: readonly StatusRow[]): StatusRecord | undefined {
  const { transactionReference, paymentReference } = question
  const named = found.filter((row) => row.transactionReference === transactionReference)
  // An id leaves out the prefix of the reference, so a row that was found by it may be another's.
  const rows = named.length > 0 ? named : found.filter((row) => row.paymentReference === paymentReference)
  const [transaction] = rows
  return transaction && { transaction, payments: rows.filter(isPayment) }
}

const isPayment = (row: StatusRow): row is StatusRow & ShownPayment => row.method !== null

/** Answers questions one by one. */
export const statusReader =
  (db: Db): ReadStatus =>
  async (question) =>
    (await readStatuses(db, [question]))[0]

/** Finds a transaction with its payments by either reference, whichever of the two it is given as. */
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
