import type { Merchant } from '../../core/merchants/index.ts'
import type { Past } from '../../core/past/index.ts'
import { writePastCharges } from '../../features/cards/index.ts'
import {
  transferableOf,
  transferBeganInPast,
  transferEndedInPast,
  writePastTransfers,
} from '../../features/disbursements/index.ts'
import { writePastRefunds } from '../../features/refunds/index.ts'
import { settledInPast, writePastSettlements } from '../../features/settlements/index.ts'
import { type TransactionRecord, writePastTransactions } from '../../features/transactions/index.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { invariant } from '../../kernel/errors.ts'
import { type Kobo, kobo } from '../../kernel/money.ts'
import type { Tx } from '../../platform/db.ts'
import type { Chance } from './chance.ts'
import { newRows, purchase, type Rows } from './purchase.ts'

/** A day of a history: from one settlement to the next. */
export interface Day {
  readonly past: Past
  readonly merchant: Merchant
  readonly chance: Chance
  /** How its references begin. */
  readonly label: string
  readonly payments: number
  readonly from: Date
  readonly to: Date
  /** Whether it ends with a settlement; one that is not over yet is settled when it is. */
  readonly isOver: boolean
}

/** How long after a day's settlement the next day begins: what comes into the wallet has left it by then. */
export const EVENING_SECONDS = 40

/** Lives through a day, and writes it. */
export function liveThrough(tx: Tx, day: Day): void {
  const { past, isOver } = day
  const rows = newRows()
  const morning = kobo(past.available())
  const acts = Array.from({ length: day.payments }, (_, index) => purchase(day, rows, index + 1)).flat()
  for (const { at, happen } of acts.toSorted((a, b) => a.at - b.at)) {
    past.moveTo(new Date(at))
    happen()
  }
  if (isOver) closeDay(day, rows, morning)
  writePastTransactions(tx, [
    ...rows.unpaid.map((transaction) => ({ transaction, payments: [] })),
    ...rows.paid.map((record) => (isOver ? settled(record) : record)),
  ])
  writePastCharges(tx, rows.attempts)
  writePastSettlements(tx, rows.settlements)
  writePastTransfers(tx, rows.transfers)
  writePastRefunds(tx, rows.refunds)
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

/** Settles what the day brought, and pays it out: the wallet has in the end what it had in the morning. */
function closeDay({ past, merchant, chance, label, to }: Day, rows: Rows, morning: Kobo): void {
  if (rows.paid.length === 0) return
  let seconds = 0
  const wait = (): void => past.moveTo(secondsAfter(to, ++seconds))
  const brought = (): Kobo => kobo(past.available() - morning)
  wait()
  rows.settlements.push(...settledInPast(past, merchant, rows.paid))
  const pay = (amount: Kobo, destination: Destination, failure?: string): void => {
    wait()
    const began = transferBeganInPast(past, merchant, {
      amount,
      reference: `${label}-PAYOUT-${seconds}`,
      narration: destination === OWN_ACCOUNT ? 'Daily payout' : 'Supplies',
      currencyCode: 'NGN',
      sourceAccountNumber: merchant.walletAccountNumber,
      destination,
      destinationAccountName: destination.name,
      batchId: null,
    })
    invariant(began !== undefined, 'a day pays out no more than it brought')
    wait()
    rows.transfers.push(transferEndedInPast(past, began, failure))
  }
  for (const part of Array.from({ length: chance.between(1, 3) }, () => chance.between(5, 20))) {
    const amount = kobo((brought() * BigInt(part)) / 100n)
    const failure = chance.isTrue(FAILURE_PROBABILITY) ? 'Destination account is dormant' : undefined
    if (amount > PAYOUT_MIN) pay(amount, chance.of(SUPPLIERS), failure)
  }
  // Fees leap from step to step: where no amount takes all, two do.
  while (brought() > 0n) pay(transferableOf(merchant, brought(), to) ?? kobo(brought() / 2n), OWN_ACCOUNT)
}
