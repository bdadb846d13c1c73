import type { Merchant } from '../../../core/merchants/index.ts'
import type { Past } from '../../../core/sandbox-history/index.ts'
import { secondsAfter } from '../../../kernel/clock.ts'
import { invariant } from '../../../kernel/errors.ts'
import { type Kobo, kobo } from '../../../kernel/money.ts'
import type { Tx } from '../../../platform/postgres/db.ts'
import { writeHistoryCharges } from '../../cards/index.ts'
import {
  endTransferInHistory,
  startTransferInHistory,
  transferableOf,
  writeHistoryTransfers,
} from '../../disbursements/index.ts'
import { writeHistoryRefunds } from '../../refunds/index.ts'
import { settleInHistory, writeHistorySettlements } from '../../settlements/index.ts'
import { type TransactionRecord, transactionHistory } from '../../transactions/index.ts'
import type { Random } from '../random.ts'
import { newRows, purchase, type Rows } from './purchase.ts'

/** A day of a history, from one settlement to the next. */
export interface Day {
  readonly past: Past
  readonly merchant: Merchant
  readonly chance: Random
  /** The prefix of its references. */
  readonly label: string
  readonly payments: number
  readonly from: Date
  readonly to: Date
  /** Whether it ends with a settlement; an unfinished day is settled later. */
  readonly isOver: boolean
}

/** The gap between two days. After the settlement, the income of the day is paid out in this time. */
export const EVENING_SECONDS = 40

export function simulateDay(tx: Tx, day: Day): void {
  const { past, isOver } = day
  const rows = newRows()
  const morning = kobo(past.available())
  const acts = Array.from({ length: day.payments }, (_, index) => purchase(day, rows, index + 1)).flat()
  for (const { at, happen } of acts.toSorted((a, b) => a.at - b.at)) {
    past.moveTo(new Date(at))
    happen()
  }
  if (isOver) closeDay(day, rows, morning)
  transactionHistory.write(tx, [
    ...rows.unpaid.map((transaction) => ({ transaction, payments: [] })),
    ...rows.paid.map((record) => (isOver ? settled(record) : record)),
  ])
  writeHistoryCharges(tx, rows.attempts)
  writeHistorySettlements(tx, rows.settlements)
  writeHistoryTransfers(tx, rows.transfers)
  writeHistoryRefunds(tx, rows.refunds)
  past.write(tx)
}

const settled = ({ transaction, payments }: TransactionRecord): TransactionRecord => ({
  transaction: { ...transaction, settlesAt: null },
  payments,
})

interface Destination {
  readonly name: string
  readonly bankCode: string
  readonly accountNumber: string
}

const SUPPLIERS: readonly [Destination, ...Destination[]] = [
  { name: 'Lagos Wholesale Ltd', bankCode: '058', accountNumber: '3000000003' },
  { name: 'Ibadan Logistics', bankCode: '044', accountNumber: '3000000010' },
  { name: 'Kano Textiles', bankCode: '033', accountNumber: '3000000027' },
]
const OWN_ACCOUNT: Destination = { name: 'Demo Shop', bankCode: '057', accountNumber: '3000000034' }
const FAILURE_PROBABILITY = 0.04
const PAYOUT_MIN = 50_000n

/** Settles the day's income and pays it out, so that the wallet ends with its morning balance. */
function closeDay({ past, merchant, chance, label, to }: Day, rows: Rows, morning: Kobo): void {
  if (rows.paid.length === 0) return
  let seconds = 0
  const wait = (): void => past.moveTo(secondsAfter(to, ++seconds))
  const earned = (): Kobo => kobo(past.available() - morning)
  wait()
  rows.settlements.push(...settleInHistory(past, merchant, rows.paid))
  const pay = (amount: Kobo, destination: Destination, failure?: string): void => {
    wait()
    const began = startTransferInHistory(past, merchant, {
      amount,
      reference: `${label}-PAYOUT-${seconds}`,
      narration: destination === OWN_ACCOUNT ? 'Daily payout' : 'Supplies',
      currencyCode: 'NGN',
      sourceAccountNumber: merchant.walletAccountNumber,
      destination,
      destinationAccountName: destination.name,
      batchId: null,
    })
    invariant(began !== undefined, 'a day pays out no more than its income')
    wait()
    rows.transfers.push(endTransferInHistory(past, began, failure))
  }
  for (const part of Array.from({ length: chance.between(1, 3) }, () => chance.between(5, 20))) {
    const amount = kobo((earned() * BigInt(part)) / 100n)
    const failure = chance.isTrue(FAILURE_PROBABILITY) ? 'Destination account is dormant' : undefined
    if (amount > PAYOUT_MIN) pay(amount, chance.of(SUPPLIERS), failure)
  }
  // Fees rise in steps, so sometimes no single amount uses up the whole balance, but two do.
  while (earned() > 0n) pay(transferableOf(merchant, earned(), to) ?? kobo(earned() / 2n), OWN_ACCOUNT)
}
