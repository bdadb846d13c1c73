import type { Merchant } from '../../../core/merchants/index.ts'
import type { Past } from '../../../core/sandbox-history/index.ts'
import { invariant } from '../../../kernel/errors.ts'
import { type Kobo, kobo } from '../../../kernel/money.ts'
import { chargeInHistory, factsOf } from '../../cards/index.ts'
import type { endTransferInHistory } from '../../disbursements/index.ts'
import { endRefundInHistory, startRefundInHistory } from '../../refunds/index.ts'
import type { settleInHistory } from '../../settlements/index.ts'
import {
  type NewTransaction,
  type Receipt,
  type Transaction,
  type TransactionRecord,
  transactionHistory,
} from '../../transactions/index.ts'
import type { Random } from '../random.ts'
import { type Customer, customerOf, purchaseOf } from './customers.ts'

/** The sandbox's default bank for incoming transfers. */
const FIRST_BANK = '035'

/** Creates empty lists for the rows of a day. */
export const newRows = () => ({
  unpaid: [] as Transaction[],
  paid: [] as TransactionRecord[],
  attempts: [] as ReturnType<typeof chargeInHistory>[],
  refunds: [] as ReturnType<typeof endRefundInHistory>[],
  transfers: [] as ReturnType<typeof endTransferInHistory>[],
  settlements: [] as ReturnType<typeof settleInHistory>[number][],
  /** The amount to settle, less refunds. */
  income: 0n,
})
export type Rows = ReturnType<typeof newRows>

/** An act at a moment, in Unix milliseconds. */
export interface Act {
  readonly at: number
  readonly happen: () => void
}

interface Day {
  readonly past: Past
  readonly merchant: Merchant
  readonly chance: Random
  readonly label: string
  readonly from: Date
  readonly to: Date
  readonly isOver: boolean
}

type Method = 'ACCOUNT_TRANSFER' | 'CARD' | 'CASH'
type Outcome = 'PAID' | 'OVERPAID' | 'PARTIALLY_PAID' | 'EXPIRED' | 'CANCELLED' | 'DECLINED'

/** Payment methods and outcomes, each with its percentage. */
const METHODS: readonly (readonly [Method, number])[] = [
  ['ACCOUNT_TRANSFER', 58],
  ['CARD', 37],
  ['CASH', 5],
]
const OUTCOMES: Readonly<Record<Method, readonly (readonly [Outcome, number])[]>> = {
  ACCOUNT_TRANSFER: [
    ['PAID', 86],
    ['OVERPAID', 0.5],
    ['PARTIALLY_PAID', 0.5],
    ['EXPIRED', 11],
    ['CANCELLED', 2],
  ],
  CARD: [
    ['PAID', 84],
    ['DECLINED', 8],
    ['EXPIRED', 6],
    ['CANCELLED', 2],
  ],
  CASH: [['PAID', 100]],
}

function weightedPick<Word extends string>({ part }: Random, list: readonly (readonly [Word, number])[]): Word {
  let left = part() * list.reduce((sum, [, weight]) => sum + weight, 0)
  for (const [word, weight] of list) {
    left -= weight
    if (left < 0) return word
  }
  const [first] = list
  invariant(first !== undefined, 'the list is not empty')
  return first[0]
}

const HOUR_MILLISECONDS = 3_600_000
const MINUTE_MILLISECONDS = 60_000
const LAGOS_MILLISECONDS = HOUR_MILLISECONDS
const DAY_HOURS = 24
/** The share of purchases by hour in Lagos. */
const HOURS = [2, 1, 1, 1, 1, 2, 5, 9, 14, 18, 20, 21, 22, 21, 19, 18, 18, 19, 20, 18, 14, 10, 6, 4].map(
  (weight, hour) => [String(hour), weight] as const,
)
const ATTEMPTS_MAX = 50

/** Picks a random moment of a day, mostly in waking hours. */
function momentOf(chance: Random, from: number, to: number): number {
  const firstHour = Math.floor((from + LAGOS_MILLISECONDS) / HOUR_MILLISECONDS) % DAY_HOURS
  const start = Math.floor(from / HOUR_MILLISECONDS) * HOUR_MILLISECONDS
  for (let tries = 0; tries < ATTEMPTS_MAX; tries++) {
    const hours = (Number(weightedPick(chance, HOURS)) - firstHour + DAY_HOURS) % DAY_HOURS
    const at = start + Math.floor((hours + chance.part()) * HOUR_MILLISECONDS)
    if (at >= from && at < to) return at
  }
  return from + Math.floor(chance.part() * (to - from))
}

const DECLINES = [
  'Insufficient funds',
  'Do not honour',
  'Expired card',
  'Transaction not permitted to cardholder',
] as const
const BINS = ['539983', '506099', '424242', '411111', '400000'] as const
const REFUND_PROBABILITY = 0.008
/** The minimum income that a day keeps after its refunds. */
const MARGIN = 1_000_000n

/** Plans one purchase and its outcome. Acts after the end of the day are dropped. */
export function purchase(day: Day, rows: Rows, number: number): readonly Act[] {
  const { past, merchant, chance, label, isOver } = day
  const [from, to] = [day.from.getTime(), day.to.getTime()]
  const requestedAt = momentOf(chance, from, to)
  const [method, customer, product] = [weightedPick(chance, METHODS), customerOf(chance), purchaseOf(chance)]
  const contract = [...merchant.contracts.values()][0]
  invariant(contract !== undefined, 'a merchant has a contract')
  const duration = contract.accountDurationSeconds * 1_000
  const drawnEnd = weightedPick(chance, OUTCOMES[method])
  const tooLate = drawnEnd === 'PARTIALLY_PAID' && requestedAt + duration >= to
  const end = tooLate ? 'PAID' : drawnEnd
  const delay = method === 'CASH' ? 0 : Math.floor(MINUTE_MILLISECONDS * (0.4 + chance.part() ** 3 * 25))
  const outcomeAt = isOver ? Math.min(requestedAt + delay, to - 1) : requestedAt + delay
  const requested: NewTransaction = {
    amount: kobo(BigInt(product.naira) * 100n),
    paymentReference: `${label}-${String(number).padStart(6, '0')}`,
    contractCode: contract.code,
    currencyCode: contract.currencyCode,
    customerName: customer.name,
    customerEmail: customer.email,
    paymentDescription: product.description,
    redirectUrl: null,
    paymentMethods: [],
    incomeSplitConfig: [],
    metaData: {},
    ...(method === 'CASH' ? { arrivesBy: 'CASH', productType: 'OFFLINE_PAYMENT_AGENT' } : {}),
  }
  let transaction: Transaction | undefined
  const open: Act = {
    at: requestedAt,
    happen: () => {
      transaction = transactionHistory.opened(past, merchant, requested)
      const isOpen = !isOver && (outcomeAt >= to || (end === 'EXPIRED' && requestedAt + duration >= to))
      if (isOpen) rows.unpaid.push(transaction)
      else if (end === 'EXPIRED')
        rows.unpaid.push(transactionHistory.ended(transaction, 'expire', transaction.expiresAt))
    },
  }
  if (end === 'EXPIRED' || outcomeAt >= to) return [open]
  let record: TransactionRecord | undefined
  const outcome: Act = {
    at: outcomeAt,
    happen: () => {
      invariant(transaction !== undefined, 'the transaction was created')
      record = applyOutcome(day, rows, transaction, { method, end, customer })
    },
  }
  const isRefunded = isOver && method === 'ACCOUNT_TRANSFER' && end === 'PAID' && chance.isTrue(REFUND_PROBABILITY)
  const refundAt = outcomeAt + Math.floor((0.2 + chance.part() * 4) * HOUR_MILLISECONDS)
  if (!isRefunded || refundAt + MINUTE_MILLISECONDS >= to) return [open, outcome]
  return [
    open,
    outcome,
    ...refund(day, rows, () => record, { at: refundAt, refundReference: `${requested.paymentReference}-R` }),
  ]
}

interface PlannedOutcome {
  readonly method: Method
  readonly end: Outcome
  readonly customer: Customer
}

/** Applies the outcome of a transaction; returns its record if it was paid. */
function applyOutcome(
  { past, chance }: Day,
  rows: Rows,
  transaction: Transaction,
  { method, end, customer }: PlannedOutcome,
): TransactionRecord | undefined {
  const { at } = past.now()
  if (end === 'CANCELLED') {
    rows.unpaid.push(transactionHistory.ended(transaction, 'cancel', at))
    return undefined
  }
  const card =
    method === 'CARD' ? { bin: chance.of(BINS), last4: chance.digits(4), expMonth: '09', expYear: '2029' } : undefined
  if (card !== undefined && end === 'DECLINED') {
    rows.attempts.push(chargeInHistory(past, transaction, card, { reason: chance.of(DECLINES) }))
    const declined = transactionHistory.ended(transaction, 'decline', null)
    const isOver = transaction.expiresAt < at
    rows.unpaid.push(isOver ? declined : transactionHistory.ended(declined, 'expire', transaction.expiresAt))
    return undefined
  }
  const attempt = card && chargeInHistory(past, transaction, card, undefined)
  if (attempt !== undefined) rows.attempts.push(attempt)
  const record = transactionHistory.paid(
    past,
    transaction,
    receiptOf(transaction, method, amountOf(transaction, end), customer, attempt, past),
  )
  const { transaction: paid } = record
  const ended =
    paid.completedAt === null
      ? { ...record, transaction: transactionHistory.ended(paid, 'expire', paid.expiresAt) }
      : record
  rows.paid.push(ended)
  rows.income += paid.amountPaid - paid.fee
  return ended
}

const amountOf = ({ payable }: Transaction, end: Outcome): Kobo =>
  end === 'OVERPAID' ? kobo(payable + 50_000n) : end === 'PARTIALLY_PAID' ? kobo(payable / 2n) : payable

function receiptOf(
  { transactionReference }: Transaction,
  method: Method,
  amount: Kobo,
  { name, accountNumber, bankCode }: Customer,
  attempt: ReturnType<typeof chargeInHistory> | undefined,
  past: Past,
): Receipt {
  const payerWithoutAccount = { name, accountNumber: null, bankCode: null, bvn: null }
  if (attempt !== undefined)
    return {
      railReference: attempt.reference,
      method,
      amount,
      payer: payerWithoutAccount,
      bankCode: null,
      accountNumber: null,
      card: factsOf(attempt),
    }
  if (method === 'CASH')
    return {
      railReference: `CASH|${transactionReference}`,
      method,
      amount,
      payer: payerWithoutAccount,
      bankCode: null,
      accountNumber: null,
      card: null,
    }
  return {
    railReference: past.now().ids.sessionId('000014'),
    method,
    amount,
    payer: { name, accountNumber, bankCode, bvn: null },
    bankCode: FIRST_BANK,
    accountNumber: `97${transactionReference.slice(-8).replace('|', '0')}`,
    card: null,
  }
}

/** Plans a refund, which takes place if the day's income covers it by then. */
function refund(
  { past, merchant, chance }: Day,
  rows: Rows,
  recordOf: () => TransactionRecord | undefined,
  { at, refundReference }: { readonly at: number; readonly refundReference: string },
): readonly Act[] {
  let began: ReturnType<typeof startRefundInHistory>
  const refundReason = chance.of(['Out of stock', 'Customer changed their mind', 'Paid twice'])
  return [
    {
      at,
      happen: () => {
        const record = recordOf()
        const amount = record?.transaction.amountPaid
        if (record === undefined || amount === undefined || rows.income < amount + MARGIN) return
        began = startRefundInHistory(past, merchant, record, { refundReference, amount, refundReason })
        if (began !== undefined) rows.income -= began.amount + began.fee
      },
    },
    {
      at: at + MINUTE_MILLISECONDS,
      happen: () => {
        if (began !== undefined) rows.refunds.push(endRefundInHistory(past, began))
      },
    },
  ]
}
