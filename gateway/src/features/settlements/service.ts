import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from '@kobo/contract'
import type { Core } from '../../core/core.ts'
import { type Contract, type Destination, type Merchant, selectDestinations } from '../../core/merchants/index.ts'
import { emit } from '../../core/messages/outbox/index.ts'
import { type Debts, openDebts } from '../../core/money/debts.ts'
import { insertLots, reserveTermsOf } from '../../core/money/reserve/index.ts'
import { openWallets, type WalletAct, type Wallets } from '../../core/money/wallet-balances/index.ts'
import { type Orders, placeOrders } from '../../core/orders/index.ts'
import type { Shard } from '../../core/shards/index.ts'
import type { Sweep } from '../../core/sweep.ts'
import { type UnitOfWork, unitOfWork } from '../../core/unit-of-work.ts'
import { invariant } from '../../kernel/errors.ts'
import type { Db, Tx } from '../../platform/db.ts'
import type { CountedPage, PageWanted } from '../../platform/pages.ts'
import {
  findTransaction,
  lockDueToSettle,
  markSettled,
  nextDueToSettle,
  type PaymentRow,
  readTransactions,
  type SettlingPlace,
  selectPayments,
  type TransactionRecord,
  type TransactionRow,
} from '../transactions/index.ts'
import { settlementErrors } from './errors.ts'
import { settlementEvent } from './events.ts'
import { payoutOrder } from './orders.ts'
import { type Planned, planSettlements, type SettlementTerms, type Terms } from './plan.ts'
import {
  findSettlement,
  findSettlementOf,
  insertItems,
  insertPayouts,
  insertSettlements,
  lockSettling,
  type PayoutRow,
  type SettlementRow,
  selectItems,
  selectPayouts,
} from './repository.ts'

/** The most transactions in one settlement, so that its event stays one that a receiver takes; a larger day makes several. */
export const SETTLEMENT_TRANSACTIONS_MAX = 1_000
/** A run ends after so many sets, so that a process that is to stop need not wait for a long day's end. */
const SETS_A_RUN_MAX = 10

interface SettlementDeps {
  readonly core: Core
  readonly orders: Orders
}

/** What falls due of settlements: to settle what was collected. What goes to bank accounts is paid by its orders. */
export const settlementSweeps = (deps: SettlementDeps): readonly Sweep[] => [
  {
    name: 'settle',
    run: () => deps.core.shards.each((shard) => settleDue(deps, shard)),
    nextDue: () => nextDueToSettle(deps.core.db),
  },
]

/**
 * Settles what is due, in sets of one database transaction each: whatever is cut off in the middle was either
 * settled whole or not at all, and the next run goes on. Answers how many transactions were settled.
 */
async function settleDue(deps: SettlementDeps, shard: Shard): Promise<number> {
  let settled = 0
  let last: SettlingPlace | undefined
  for (let set = 0; set < SETS_A_RUN_MAX; set++) {
    const done = await unitOfWork(deps.core, (unit) => settleSet(deps, unit, shard, last))
    if (done.length === 0) break
    last = done.at(-1)
    settled += done.length
  }
  return settled
}

async function settleSet(
  { core, orders }: SettlementDeps,
  unit: UnitOfWork,
  shard: Shard,
  after: SettlingPlace | undefined,
): Promise<readonly TransactionRow[]> {
  const { tx, at } = unit
  // Sent together and carried out in this order: what another has settled meanwhile is not seen again.
  const [, found] = await Promise.all([
    lockSettling(tx),
    lockDueToSettle(tx, shard, at, after, SETTLEMENT_TRANSACTIONS_MAX + 1),
  ])
  const locked = wholeOf(found, SETTLEMENT_TRANSACTIONS_MAX)
  if (locked.length === 0) return locked
  const reading = selectPayments(tx, locked)
  const owing = openDebts(tx, locked)
  // Behind it, so that the database works while we plan.
  const due = markSettled(unit, locked)
  const [payments, debts] = await Promise.all([reading, owing])
  const terms = await readTerms(core, tx, due, payments, debts)
  const planned = planSettlements(unit, withPayments(due, payments), terms)
  insertSettlements(
    tx,
    planned.map(({ settlement }) => settlement),
  )
  insertItems(
    tx,
    planned.flatMap(({ items }) => items),
  )
  insertLots(
    tx,
    planned.flatMap(({ lot }) => lot ?? []),
  )
  debts.write(unit)
  const payouts = planned.flatMap((one) => one.payouts)
  insertPayouts(tx, payouts)
  placeOrders(
    unit,
    payouts.map((payout) => payoutOrder(orders, payout, at)),
  )
  const completed = planned.filter(({ settlement }) => settlement.status === 'COMPLETED')
  emit(
    unit,
    completed.map(({ settlement, records }) => settlementEvent(settlement, records)),
  )
  const wallets = await creditWallets(tx, planned)
  wallets.write(unit)
  return due
}

/**
 * Those that make a set, of more that are due: what a merchant has at one time is not cut by the set's end but left to the
 * next, unless it alone is more than a set.
 */
function wholeOf(due: readonly TransactionRow[], most: number): readonly TransactionRow[] {
  const beyond = due[most]
  if (beyond === undefined) return due
  const isCut = ({ merchantId, settlesAt }: TransactionRow): boolean =>
    merchantId === beyond.merchantId && settlesAt?.getTime() === beyond.settlesAt?.getTime()
  const set = due.slice(0, most)
  const whole = set.filter((transaction) => !isCut(transaction))
  return whole.length === 0 ? set : whole
}

/** Credits the wallets that settlements go to. Books those to bank accounts too. */
async function creditWallets(tx: Tx, planned: readonly Planned[]): Promise<Wallets> {
  const toWallets = planned.filter(({ settlement }) => settlement.destination === 'WALLET')
  const wallets = await openWallets(
    tx,
    toWallets.map(({ settlement }) => ({
      merchantId: settlement.merchantId,
      accountNumber: settlement.destinationAccountNumber,
    })),
  )
  for (const { settlement, journal } of planned) {
    // Where the fee took all there is nothing to book.
    if (journal.moves.length === 0) continue
    invariant(wallets.take(walletActOf(settlement, journal)), 'a settlement takes nothing from a wallet')
  }
  return wallets
}

/** What a settlement does to the wallet that it goes to. */
export const walletActOf = (
  { settlementReference, transactionsCount }: SettlementRow,
  journal: Planned['journal'],
): WalletAct => ({
  journal,
  reference: settlementReference,
  transactionReference: settlementReference,
  narration: null,
  message: `Settlement of ${transactionsCount} transactions`,
})

function withPayments(
  transactions: readonly TransactionRow[],
  payments: readonly PaymentRow[],
): readonly TransactionRecord[] {
  const keyOf = (merchantId: bigint, transactionId: bigint): string => `${merchantId} ${transactionId}`
  const paymentsOf = Map.groupBy(payments, ({ merchantId, transactionId }) => keyOf(merchantId, transactionId))
  return transactions.map((transaction) => ({
    transaction,
    payments: paymentsOf.get(keyOf(transaction.merchantId, transaction.id)) ?? [],
  }))
}

/** Where to the contracts and sub accounts of some transactions are settled. */
async function readTerms(
  { directory }: Core,
  tx: Tx,
  transactions: readonly TransactionRow[],
  payments: readonly PaymentRow[],
  { repay }: Debts,
): Promise<Terms> {
  const merchants = new Map<bigint, Merchant>()
  for (const { merchantId } of transactions) {
    if (merchants.has(merchantId)) continue
    const merchant = directory.known(merchantId) ?? (await directory.byId(merchantId))
    invariant(merchant !== undefined, 'a transaction belongs to a merchant')
    merchants.set(merchantId, merchant)
  }
  const keys = payments.flatMap(({ merchantId, splits }) =>
    (splits ?? []).map(({ subAccountCode: code }) => [`${merchantId} ${code}`, { merchantId, code }] as const),
  )
  const destinations = await selectDestinations(tx, [...new Map(keys).values()])
  const destinationOf = new Map(destinations.map((row) => [`${row.merchantId} ${row.code}`, row]))
  return {
    contract: ({ merchantId, contractCode }) => {
      const merchant = merchants.get(merchantId)
      const contract = merchant?.contracts.get(contractCode)
      return merchant === undefined || contract === undefined ? undefined : termsOf(merchant, contract)
    },
    subAccount: (merchantId, code) => destinationOf.get(`${merchantId} ${code}`),
    repay,
    reserve: (merchantId) => {
      const merchant = merchants.get(merchantId)
      return merchant === undefined ? undefined : reserveTermsOf(merchant)
    },
  }
}

/** A contract settles to a bank account, or to the merchant's wallet. */
function termsOf(merchant: Merchant, contract: Contract): SettlementTerms {
  const { settlementBankCode: bankCode, settlementAccountNumber: accountNumber, settlementAccountName } = contract
  const isBank = contract.settlementDestination === 'BANK' && bankCode !== null && accountNumber !== null
  if (!isBank) return walletTermsOf(merchant)
  const accountName = settlementAccountName ?? ''
  return { merchantCode: merchant.code, destination: 'BANK', bankCode, accountNumber, accountName }
}

/** Where to what goes to a merchant's own wallet is settled. */
export const walletTermsOf = ({ code, name, walletAccountNumber, walletBankCode }: Merchant): SettlementTerms => ({
  merchantCode: code,
  destination: 'WALLET',
  bankCode: walletBankCode ?? '',
  accountNumber: walletAccountNumber,
  accountName: name,
})

/** A page of the transactions of a settlement, newest first. */
export async function findSettled(
  db: Db,
  merchantId: bigint,
  settlementReference: string,
  { page = 0, size: wanted = PAGE_SIZE_DEFAULT }: PageWanted,
): Promise<CountedPage<TransactionRecord>> {
  const settlement = await findSettlement(db, merchantId, settlementReference)
  if (settlement === undefined) throw settlementErrors.notFound()
  const size = Math.min(wanted, PAGE_SIZE_MAX)
  const transactions = await readTransactions(db, await selectItems(db, settlement, size, page * size))
  const rows = withPayments(transactions, await selectPayments(db, transactions))
  return { rows, total: settlement.transactionsCount, page, size }
}

/** How a transaction was settled, and to whom. */
export interface Detail {
  readonly record: TransactionRecord
  readonly settlement: SettlementRow
  readonly payouts: readonly PayoutRow[]
  readonly subAccounts: readonly (Destination & { readonly code: string })[]
}

export async function getDetail(db: Db, merchantId: bigint, transactionReference: string): Promise<Detail> {
  const transaction = await findTransaction(db, merchantId, { transactionReference })
  if (transaction === undefined) throw settlementErrors.unknownTransaction()
  const settlement = await findSettlementOf(db, merchantId, transaction.id)
  if (settlement === undefined) throw settlementErrors.notSettled()
  const codes = [...new Set((transaction.incomeSplitConfig ?? []).map(({ subAccountCode }) => subAccountCode))]
  const [payments, payouts, subAccounts] = await Promise.all([
    selectPayments(db, [transaction]),
    codes.length === 0 ? [] : selectPayouts(db, settlement, codes),
    codes.length === 0
      ? []
      : selectDestinations(
          db,
          codes.map((code) => ({ merchantId, code })),
        ),
  ])
  return { record: { transaction, payments }, settlement, payouts, subAccounts }
}
