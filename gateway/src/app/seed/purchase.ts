import type { Merchant } from '../../core/merchants/index.ts'
import type { Past } from '../../core/past/index.ts'
import { chargedInPast, factsOf } from '../../features/cards/index.ts'
import type { transferEndedInPast } from '../../features/disbursements/index.ts'
import { refundBeganInPast, refundEndedInPast } from '../../features/refunds/index.ts'
import type { settledInPast } from '../../features/settlements/index.ts'
import {
  askedInPast,
  endedInPast,
  type NewTransaction,
  paidInPast,
  type Receipt,
  type TransactionRecord,
  type TransactionRow,
} from '../../features/transactions/index.ts'
import { invariant } from '../../kernel/errors.ts'
import { type Kobo, kobo } from '../../kernel/money.ts'
import type { Chance } from './chance.ts'
import { type Customer, customerOf, purchaseOf } from './customers.ts'

/** Where payers' transfers arrive in a sandbox, unless another bank is named. */
const FIRST_BANK = '035'

/** What came of a day. */
export const newRows = () => ({
  unpaid: [] as TransactionRow[],
  paid: [] as TransactionRecord[],
  attempts: [] as ReturnType<typeof chargedInPast>[],
  refunds: [] as ReturnType<typeof refundEndedInPast>[],
  transfers: [] as ReturnType<typeof transferEndedInPast>[],
  settlements: [] as ReturnType<typeof settledInPast>[number][],
  /** What will be settled, less what went back. */
  income: 0n,
})
export type Rows = ReturnType<typeof newRows>

/** Something that happens at a moment, in Unix milliseconds. */
export interface Act {
  readonly at: number
  readonly happen: () => void
}

interface Day {
  readonly past: Past
  readonly merchant: Merchant
  readonly chance: Chance
  readonly label: string
  readonly from: Date
  readonly to: Date
  readonly isOver: boolean
}

type Method = 'ACCOUNT_TRANSFER' | 'CARD' | 'CASH'
type End = 'PAID' | 'OVERPAID' | 'PARTIALLY_PAID' | 'EXPIRED' | 'CANCELLED' | 'DECLINED'

/** How people pay, and what comes of it, each with how often of a hundred. */
const METHODS: readonly (readonly [Method, number])[] = [
  ['ACCOUNT_TRANSFER', 58],
  ['CARD', 37],
  ['CASH', 5],
]
const ENDS: Readonly<Record<Method, readonly (readonly [End, number])[]>> = {
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

function drawn<Word extends string>({ part }: Chance, list: readonly (readonly [Word, number])[]): Word {
  let left = part() * list.reduce((sum, [, weight]) => sum + weight, 0)
  for (const [word, weight] of list) {
    left -= weight
    if (left < 0) return word
  }
  const [first] = list
  invariant(first !== undefined, 'there is something to draw')
  return first[0]
}

const HOUR_MILLISECONDS = 3_600_000
const MINUTE_MILLISECONDS = 60_000
const LAGOS_MILLISECONDS = HOUR_MILLISECONDS
const DAY_HOURS = 24
/** How much is bought in each hour in Lagos. */
const HOURS = [2, 1, 1, 1, 1, 2, 5, 9, 14, 18, 20, 21, 22, 21, 19, 18, 18, 19, 20, 18, 14, 10, 6, 4].map(
  (weight, hour) => [String(hour), weight] as const,
)
const TRIES_MAX = 50

/** A moment of a day, mostly one at which people are awake. */
function momentOf(chance: Chance, from: number, to: number): number {
  const firstHour = Math.floor((from + LAGOS_MILLISECONDS) / HOUR_MILLISECONDS) % DAY_HOURS
  const start = Math.floor(from / HOUR_MILLISECONDS) * HOUR_MILLISECONDS
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const hours = (Number(drawn(chance, HOURS)) - firstHour + DAY_HOURS) % DAY_HOURS
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
/** What a day keeps over after its refunds. */
const MARGIN = 1_000_000n

/** One purchase: what is asked for, and what comes of it. Acts that would happen after the day do not. */
export function purchase(day: Day, rows: Rows, number: number): readonly Act[] {
  const { past, merchant, chance, label, isOver } = day
  const [from, to] = [day.from.getTime(), day.to.getTime()]
  const asked = momentOf(chance, from, to)
  const [method, customer, ware] = [drawn(chance, METHODS), customerOf(chance), purchaseOf(chance)]
  const contract = [...merchant.contracts.values()][0]
  invariant(contract !== undefined, 'a merchant has a contract')
  const lasts = contract.accountDurationSeconds * 1_000
  const drawnEnd = drawn(chance, ENDS[method])
  const tooLate = drawnEnd === 'PARTIALLY_PAID' && asked + lasts >= to
  const end = tooLate ? 'PAID' : drawnEnd
  const delay = method === 'CASH' ? 0 : Math.floor(MINUTE_MILLISECONDS * (0.4 + chance.part() ** 3 * 25))
  const answered = isOver ? Math.min(asked + delay, to - 1) : asked + delay
  const wanted: NewTransaction = {
    amount: kobo(BigInt(ware.naira) * 100n),
    paymentReference: `${label}-${String(number).padStart(6, '0')}`,
    contractCode: contract.code,
    currencyCode: contract.currencyCode,
    customerName: customer.name,
    customerEmail: customer.email,
    paymentDescription: ware.description,
    redirectUrl: null,
    paymentMethods: [],
    incomeSplitConfig: [],
    metaData: {},
    ...(method === 'CASH' ? { arrivesBy: 'CASH', productType: 'OFFLINE_PAYMENT_AGENT' } : {}),
  }
  let transaction: TransactionRow | undefined
  const ask: Act = {
    at: asked,
    happen: () => {
      transaction = askedInPast(past, merchant, wanted)
      const isOpen = !isOver && (answered >= to || (end === 'EXPIRED' && asked + lasts >= to))
      if (isOpen) rows.unpaid.push(transaction)
      else if (end === 'EXPIRED') rows.unpaid.push(endedInPast(transaction, 'expire', transaction.expiresAt))
    },
  }
  if (end === 'EXPIRED' || answered >= to) return [ask]
  let record: TransactionRecord | undefined
  const answer: Act = {
    at: answered,
    happen: () => {
      invariant(transaction !== undefined, 'what is answered was asked')
      record = answerTo(day, rows, transaction, { method, end, customer })
    },
  }
  const isRefunded = isOver && method === 'ACCOUNT_TRANSFER' && end === 'PAID' && chance.isTrue(REFUND_PROBABILITY)
  const back = answered + Math.floor((0.2 + chance.part() * 4) * HOUR_MILLISECONDS)
  if (!isRefunded || back + MINUTE_MILLISECONDS >= to) return [ask, answer]
  return [
    ask,
    answer,
    ...refund(day, rows, () => record, { at: back, refundReference: `${wanted.paymentReference}-R` }),
  ]
}

interface Ending {
  readonly method: Method
  readonly end: End
  readonly customer: Customer
}

/** What came of a transaction; the record of it where it was paid. */
function answerTo(
  { past, chance }: Day,
  rows: Rows,
  transaction: TransactionRow,
  { method, end, customer }: Ending,
): TransactionRecord | undefined {
  const { at } = past.now()
  if (end === 'CANCELLED') {
    rows.unpaid.push(endedInPast(transaction, 'cancel', at))
    return undefined
  }
  const card =
    method === 'CARD' ? { bin: chance.of(BINS), last4: chance.digits(4), expMonth: '09', expYear: '2029' } : undefined
  if (card !== undefined && end === 'DECLINED') {
    rows.attempts.push(chargedInPast(past, transaction, card, { reason: chance.of(DECLINES) }))
    const declined = endedInPast(transaction, 'decline', null)
    const isOver = transaction.expiresAt < at
    rows.unpaid.push(isOver ? declined : endedInPast(declined, 'expire', transaction.expiresAt))
    return undefined
  }
  const attempt = card && chargedInPast(past, transaction, card, undefined)
  if (attempt !== undefined) rows.attempts.push(attempt)
  const record = paidInPast(
    past,
    transaction,
    receiptOf(transaction, method, amountOf(transaction, end), customer, attempt, past),
  )
  const { transaction: paid } = record
  const ended =
    paid.completedAt === null ? { ...record, transaction: endedInPast(paid, 'expire', paid.expiresAt) } : record
  rows.paid.push(ended)
  rows.income += paid.amountPaid - paid.fee
  return ended
}

const amountOf = ({ payable }: TransactionRow, end: End): Kobo =>
  end === 'OVERPAID' ? kobo(payable + 50_000n) : end === 'PARTIALLY_PAID' ? kobo(payable / 2n) : payable

function receiptOf(
  { transactionReference }: TransactionRow,
  method: Method,
  amount: Kobo,
  { name, accountNumber, bankCode }: Customer,
  attempt: ReturnType<typeof chargedInPast> | undefined,
  past: Past,
): Receipt {
  const nobody = { name, accountNumber: null, bankCode: null, bvn: null }
  if (attempt !== undefined)
    return {
      railReference: attempt.reference,
      method,
      amount,
      payer: nobody,
      bankCode: null,
      accountNumber: null,
      card: factsOf(attempt),
    }
  if (method === 'CASH')
    return {
      railReference: `CASH|${transactionReference}`,
      method,
      amount,
      payer: nobody,
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

/** A payment that goes back, hours later, where the day has brought enough by then. */
function refund(
  { past, merchant, chance }: Day,
  rows: Rows,
  recordOf: () => TransactionRecord | undefined,
  { at, refundReference }: { readonly at: number; readonly refundReference: string },
): readonly Act[] {
  let began: ReturnType<typeof refundBeganInPast>
  const refundReason = chance.of(['Out of stock', 'Customer changed their mind', 'Paid twice'])
  return [
    {
      at,
      happen: () => {
        const record = recordOf()
        const amount = record?.transaction.amountPaid
        if (record === undefined || amount === undefined || rows.income < amount + MARGIN) return
        began = refundBeganInPast(past, merchant, record, { refundReference, amount, refundReason })
        if (began !== undefined) rows.income -= began.amount + began.fee
      },
    },
    {
      at: at + MINUTE_MILLISECONDS,
      happen: () => {
        if (began !== undefined) rows.refunds.push(refundEndedInPast(past, began))
      },
    },
  ]
}
