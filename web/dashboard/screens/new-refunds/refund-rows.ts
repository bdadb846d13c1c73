import * as routes from '../../../routes.ts'
import { koboOf, koboText, plainAmount, readKobo } from '../../../ui/money.ts'
import { type CallResult, call, problemOf } from '../../api/call.ts'
import { type CsvTable, readTable } from '../../parts/csv.ts'
import { humanize } from '../../parts/list/value.tsx'

/** A payment to refund, from a file or a selection. */
export interface RequestedRow {
  /** The row number that a spreadsheet shows. */
  readonly line: number
  /** The payment's reference: the merchant's or ours. */
  readonly reference: string
  /** In naira; empty to refund all that is left. */
  readonly amount: string
  /** Empty in a selection: the form asks for one reason. */
  readonly reason: string
  readonly problem: string | undefined
}

/** A row after its payment was looked up. */
export interface CheckedRow extends RequestedRow {
  readonly transactionReference: string
  readonly customer: string | null
  readonly customerEmail: string | null
  readonly kobo: number
}

export const ROWS_MAX = 500
export const REASON_LENGTH_MAX = 64
/** The smallest refund: ₦100. */
const KOBO_MIN = 10_000

/** Reads a file of refunds. A payment can be in it once. */
export function readRefunds(text: string): CsvTable<RequestedRow> {
  const file = readTable(text, {
    columns: {
      reference: ['reference', 'paymentreference', 'transactionreference', 'transaction'],
      amount: ['amount', 'refundamount'],
      reason: ['reason', 'refundreason'],
    },
    required: ['reference', 'reason'],
    rowsMax: ROWS_MAX,
    row: 'refund',
  })
  const rows = file.rows.map(({ line, cell }) => {
    const row = { line, reference: cell('reference'), amount: cell('amount'), reason: cell('reason') }
    return { ...row, problem: formatProblem(row) }
  })
  return { ...file, rows }
}

function formatProblem({ reference, amount, reason }: Omit<RequestedRow, 'problem'>): string | undefined {
  if (reference === '') return 'The reference is missing'
  if (amount !== '' && readKobo(amount) === undefined) return 'The amount must be a number'
  if (reason === '') return 'The reason is missing'
  return [...reason].length > REASON_LENGTH_MAX ? `The reason has more than ${REASON_LENGTH_MAX} characters` : undefined
}

export const keyOf = (row: RequestedRow): string => JSON.stringify([row.line, row.reference, row.amount, row.reason])

/** Looks up the payment of a row, and says why it cannot be refunded. */
export async function checkRow(row: RequestedRow): Promise<CheckedRow> {
  const unknown = {
    ...row,
    transactionReference: '',
    customer: null,
    customerEmail: null,
    kobo: readKobo(row.amount) ?? 0,
  }
  if (row.problem !== undefined) return unknown
  const result = await call(routes.getTransactionTimeline, { params: { transactionReference: row.reference } })
  if (result.kind !== 'done') return { ...unknown, problem: problemOf(result) }
  const { transaction, refundable, refunds } = result.body
  const open = koboOf(refundable.amount)
  const checked = {
    ...unknown,
    transactionReference: transaction.transactionReference,
    customer: transaction.customerName ?? transaction.customerEmail,
    customerEmail: transaction.customerEmail,
    kobo: row.amount === '' ? open : unknown.kobo,
  }
  const own = await refundReferenceOf(checked, row.reason)
  const before = refunds.find(({ refundReference }) => refundReference === own)
  const problem =
    before === undefined
      ? (refundable.problem ?? amountProblem(checked.kobo, open))
      : `Already requested: ${humanize(before.status).toLowerCase()}. Change the reason to refund this payment again`
  return { ...checked, problem }
}

const amountProblem = (kobo: number, open: number): string | undefined =>
  kobo > open
    ? `Only ${koboText(open)} can be refunded`
    : kobo < KOBO_MIN
      ? `A refund must be at least ${koboText(KOBO_MIN)}`
      : undefined

/** Marks a second row for the same payment as a problem, even if it has the other reference. */
export function withoutRepeats(rows: readonly CheckedRow[]): readonly CheckedRow[] {
  const first = new Map<string, number>()
  return rows.map((row) => {
    const line = first.get(row.transactionReference)
    if (row.problem === undefined && line === undefined) first.set(row.transactionReference, row.line)
    return row.problem === undefined && line !== undefined
      ? { ...row, problem: `The payment is already in row ${line}` }
      : row
  })
}

/** The reference of a row's refund, derived from the row, so that a repeated row is refunded only once. */
async function refundReferenceOf({ transactionReference, kobo }: CheckedRow, reason: string): Promise<string> {
  const content = new TextEncoder().encode(JSON.stringify([transactionReference, kobo, reason]))
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', content))
  return `bulk-${[...digest.slice(0, 12)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

/** Requests the refund of a row, like the form on a payment's page. */
export async function requestRefund(row: CheckedRow, refundReason: string): Promise<CallResult<{ comment: string }>> {
  const result = await call(routes.initiateRefund, {
    body: {
      transactionReference: row.transactionReference,
      refundReference: await refundReferenceOf(row, refundReason),
      refundAmount: plainAmount(row.kobo),
      refundReason,
      customerNote: '',
    },
  })
  const isRepeated = result.kind === 'rejected' && result.error.code === 'DUPLICATE_REFUND_REFERENCE'
  return isRepeated ? { kind: 'done', body: { comment: 'Already requested' } } : result
}
