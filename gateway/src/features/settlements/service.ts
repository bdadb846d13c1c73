import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from '@kobo/contract'
import type { Core } from '../../core/core.ts'
import { type Contract, type Destination, type Merchant, selectDestinations } from '../../core/merchants/index.ts'
import { notify } from '../../core/messages/notices.ts'
import { emit } from '../../core/messages/outbox/index.ts'
import { type Debts, openDebts } from '../../core/money/debts.ts'
import { insertLots, reserveTermsOf } from '../../core/money/reserve/index.ts'
import { openWallets, type WalletAct, type Wallets } from '../../core/money/wallet-balances/index.ts'
import { type Orders, placeOrders } from '../../core/orders/index.ts'
import type { Shard } from '../../core/shards/index.ts'
import type { Sweep } from '../../core/sweep.ts'
import { type UnitOfWork, unitOfWork } from '../../core/unit-of-work.ts'
import { invariant } from '../../kernel/errors.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import type { CountedPage, RequestedPage } from '../../platform/postgres/pagination.ts'
import {
  dueToSettle,
  type Payment,
  type Transaction,
  type TransactionRecord,
  transactionReads,
} from '../transactions/index.ts'
import { settlementErrors } from './errors.ts'
import { settlementEvent } from './events.ts'
import { payoutOrder } from './orders.ts'
import { type Planned, planSettlements, type SettlementTerms, type Terms, withheldFromOne } from './plan.ts'
import { withheldNotices } from './reports.ts'
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
import type { Withholdings } from './withholding.ts'

/** The maximum number of transactions in a settlement, which limits the size of its event. A larger day has several. */
export const SETTLEMENT_TRANSACTIONS_MAX = 1_000
/** The maximum number of chunks per run, so that a process that is stopping does not wait for long. */
const CHUNKS_PER_RUN = 10

interface SettlementDeps {
  readonly core: Core
  readonly orders: Orders
}

/** Settles due transactions. Payouts to bank accounts are sent by their orders. */
export const settlementSweeps = (deps: SettlementDeps) =>
  [
    {
      name: 'settle',
      runShard: (shard) => settleDue(deps, shard),
      nextDue: () => dueToSettle.next(deps.core.db),
    },
  ] as const satisfies readonly Sweep[]

/**
 * Settles due transactions in chunks, one database transaction each, so that an interruption loses nothing and the next
 * run continues. Returns the number of settled transactions.
 */
async function settleDue(deps: SettlementDeps, shard: Shard): Promise<number> {
  let settled = 0
  let last: Transaction | undefined
  for (let chunk = 0; chunk < CHUNKS_PER_RUN; chunk++) {
    const done = await unitOfWork(deps.core, (unit) => settleChunk(deps, unit, shard, last))
    if (done.length === 0) break
    last = done.at(-1)
    settled += done.length
  }
  return settled
}

async function settleChunk(
  { core, orders }: SettlementDeps,
  unit: UnitOfWork,
  shard: Shard,
  after: Transaction | undefined,
): Promise<readonly Transaction[]> {
  const { tx, at } = unit
  // Sent together and run in this order, so that transactions settled elsewhere meanwhile are not seen again.
  const [, found] = await Promise.all([
    lockSettling(tx),
    dueToSettle.lock(tx, shard, at, after, SETTLEMENT_TRANSACTIONS_MAX + 1),
  ])
  const locked = withoutSplitDays(found, SETTLEMENT_TRANSACTIONS_MAX)
  if (locked.length === 0) return locked
  const reading = transactionReads.payments(tx, locked)
  const owing = openDebts(tx, locked)
  // Not awaited, so that the database works while we plan.
  const due = dueToSettle.markSettled(unit, locked)
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
  notify(
    unit,
    planned.flatMap((one) => withheldNotices(one, terms.subAccount)),
  )
  const wallets = await creditWallets(tx, planned)
  wallets.write(unit)
  return due
}

/**
 * Returns the due transactions of one chunk. A merchant's transactions with the same due time stay together: if the
 * chunk cannot hold them all, they wait for the next one, unless they alone exceed a chunk.
 */
function withoutSplitDays(due: readonly Transaction[], most: number): readonly Transaction[] {
  const beyond = due[most]
  if (beyond === undefined) return due
  const isSplit = ({ merchantId, settlesAt }: Transaction): boolean =>
    merchantId === beyond.merchantId && settlesAt?.getTime() === beyond.settlesAt?.getTime()
  const chunk = due.slice(0, most)
  const whole = chunk.filter((transaction) => !isSplit(transaction))
  return whole.length === 0 ? chunk : whole
}

/** Prepares the wallet credits of settlements to wallets, and the journals of settlements to bank accounts. */
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
    // If the fee took the whole amount, there is nothing to post.
    if (journal.moves.length === 0) continue
    invariant(wallets.take(walletActOf(settlement, journal)), 'a settlement only credits a wallet')
  }
  return wallets
}

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
  transactions: readonly Transaction[],
  payments: readonly Payment[],
): readonly TransactionRecord[] {
  const keyOf = (merchantId: bigint, transactionId: bigint): string => `${merchantId} ${transactionId}`
  const paymentsOf = Map.groupBy(payments, ({ merchantId, transactionId }) => keyOf(merchantId, transactionId))
  return transactions.map((transaction) => ({
    transaction,
    payments: paymentsOf.get(keyOf(transaction.merchantId, transaction.id)) ?? [],
  }))
}

/** Reads the settlement destinations of the contracts and sub accounts of some transactions. */
async function readTerms(
  { directory }: Core,
  tx: Tx,
  transactions: readonly Transaction[],
  payments: readonly Payment[],
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

/** Returns where a contract settles: to a bank account, or to the merchant's wallet. */
function termsOf(merchant: Merchant, contract: Contract): SettlementTerms {
  const { settlementBankCode: bankCode, settlementAccountNumber: accountNumber, settlementAccountName } = contract
  const isBank = contract.settlementDestination === 'BANK' && bankCode !== null && accountNumber !== null
  if (!isBank) return walletTermsOf(merchant)
  const accountName = settlementAccountName ?? ''
  return { merchantCode: merchant.code, destination: 'BANK', bankCode, accountNumber, accountName }
}

export const walletTermsOf = ({ code, name, walletAccountNumber, walletBankCode }: Merchant): SettlementTerms => ({
  merchantCode: code,
  destination: 'WALLET',
  bankCode: walletBankCode ?? '',
  accountNumber: walletAccountNumber,
  accountName: name,
})

/** Returns a page of a settlement's transactions, newest first. */
export async function findSettled(
  db: Db,
  merchantId: bigint,
  settlementReference: string,
  { page = 0, size: requested = PAGE_SIZE_DEFAULT }: RequestedPage,
): Promise<CountedPage<TransactionRecord>> {
  const settlement = await findSettlement(db, merchantId, settlementReference)
  if (settlement === undefined) throw settlementErrors.notFound()
  const size = Math.min(requested, PAGE_SIZE_MAX)
  const transactions = await transactionReads.byKeys(db, await selectItems(db, settlement, size, page * size))
  const rows = withPayments(transactions, await transactionReads.payments(db, transactions))
  return { rows, total: settlement.transactionsCount, page, size }
}

/** How and to whom a transaction was settled. */
export interface Detail {
  readonly record: TransactionRecord
  readonly settlement: SettlementRow
  readonly payouts: readonly PayoutRow[]
  readonly subAccounts: readonly (Destination & { readonly code: string })[]
  /** The part of each beneficiary's withholding that falls on this transaction. */
  readonly withholdings: Withholdings
}

export async function getDetail(db: Db, merchantId: bigint, transactionReference: string): Promise<Detail> {
  const transaction = await transactionReads.find(db, merchantId, { transactionReference })
  if (transaction === undefined) throw settlementErrors.unknownTransaction()
  const settlement = await findSettlementOf(db, merchantId, transaction.id)
  if (settlement === undefined) throw settlementErrors.notSettled()
  const codes = [...new Set((transaction.incomeSplitConfig ?? []).map(({ subAccountCode }) => subAccountCode))]
  const [payments, withholdings, payouts, subAccounts] = await Promise.all([
    transactionReads.payments(db, [transaction]),
    withholdingsOf(db, settlement, transaction),
    codes.length === 0 ? [] : selectPayouts(db, settlement, codes),
    codes.length === 0
      ? []
      : selectDestinations(
          db,
          codes.map((code) => ({ merchantId, code })),
        ),
  ])
  return { record: { transaction, payments }, settlement, payouts, subAccounts, withholdings }
}

/** Returns the part of a settlement's withholdings that falls on one of its transactions. */
async function withholdingsOf(db: Db, settlement: SettlementRow, transaction: Transaction): Promise<Withholdings> {
  const isNothingWithheld = settlement.debtRepaid === 0n && settlement.reserved === 0n
  const settled = isNothingWithheld
    ? [transaction]
    : await transactionReads.byKeys(db, await selectItems(db, settlement, settlement.transactionsCount, 0))
  const records = withPayments(settled, await transactionReads.payments(db, settled))
  return withheldFromOne(settlement, records, transaction.id)
}
