import { type PersonPermission, personRefusals, type Reply, type search } from '@kobo/contract'
import { findAccounts, type VirtualAccount } from '../../core/account-numbers/index.ts'
import { knownBanks } from '../../core/bank-list/index.ts'
import { selectRequests } from '../../core/edge/request-recorder/index.ts'
import { type Merchant, selectDestinations } from '../../core/merchants/index.ts'
import { selectEvents } from '../../core/messages/outbox/index.ts'
import { findWallet, type WalletRow } from '../../core/money/wallet-balances/index.ts'
import { refusals } from '../../kernel/errors.ts'
import { ID_MAX } from '../../kernel/ids.ts'
import { fromNaira, type Kobo, toNaira } from '../../kernel/money.ts'
import type { Db } from '../../platform/postgres/db.ts'
import type { ListFilter } from '../../platform/postgres/list-search.ts'
import { findVend } from '../bills/index.ts'
import { findCustomers } from '../customers/index.ts'
import { findMandateByEitherName, mandateList } from '../direct-debit/index.ts'
import { findBatchByEitherName, findTransfer, findTransfersNamed, findTransfersTo } from '../disbursements/index.ts'
import { findDispute } from '../disputes/index.ts'
import { findLimitProfile } from '../limit-profiles/index.ts'
import { findPaycodeByEitherName } from '../paycodes/index.ts'
import { findLink } from '../payment-links/index.ts'
import { findRefundByEitherName } from '../refunds/index.ts'
import { findReservedAccount, reservedAccountList, selectReservedAccounts } from '../reserved-accounts/index.ts'
import { findSettlement, findSettlementOfSession } from '../settlements/index.ts'
import { type Transaction, type TransactionKey, transactionReads } from '../transactions/index.ts'
import { statusOf, withRefunds } from './lists.ts'

export type Found = Reply<typeof search>['found'][number]

interface SearchContext {
  readonly db: Db
  readonly merchant: Merchant
  /** Whether the user has a permission. */
  readonly may: (permission: PersonPermission) => boolean
  /** Set if an earlier search stopped at this time: only payments up to it are searched. */
  readonly to: Date | undefined
  /** The most results of each search. */
  readonly size: number
}

const personErrors = refusals(personRefusals)
const EMAIL = /^[^@\s]+@[^@\s]+$/
const ACCOUNT_NUMBER = /^\d{10}$/
/** An amount as people write it: ₦12,500 or 12500.00. */
const AMOUNT = /^₦?\s*\d{1,3}(,?\d{3})*(\.\d{1,2})?$/
const CARD_DIGITS = /^\d{4}$/
/** An event's ID, in a URL or as `webhook-id`. */
const EVENT_ID = /^(?:evt_)?(\d{1,19})$/
/** A shorter text is a part of too many references and names. */
const PART_LENGTH_MIN = 3
const NOTHING: Reply<typeof search> = { found: [], searchedBackTo: null }

/**
 * Finds anything by its reference, number or email address. If nothing is found, it searches for customers by name, and
 * for payments by amount, card, name or part of a reference.
 */
export async function searchAll(context: SearchContext, query: string): Promise<Reply<typeof search>> {
  const text = query.trim()
  const findsCustomers = context.may('payer.read')
  if (EMAIL.test(text)) return findsCustomers ? byEmail(context, text) : notAllowed()
  const [named, numbered] = await Promise.all([
    context.to === undefined ? byReference(context, text) : [],
    ACCOUNT_NUMBER.test(text) && findsCustomers ? byNumber(context, text) : NOTHING,
  ])
  if (named.length === 0 && ACCOUNT_NUMBER.test(text) && !findsCustomers) return notAllowed()
  const once = new Map([...named, ...numbered.found].map((one) => [`${one.kind} ${one.reference}`, one]))
  const found = [...once.values()].slice(0, context.size)
  if (found.length === 0 && text.length >= PART_LENGTH_MIN) {
    const part = await byPart(context, text)
    return { ...part, searchedBackTo: latest([part.searchedBackTo, numbered.searchedBackTo]) }
  }
  return { ...numbered, found }
}

/** Returns the latest of several ISO times. All of the searches that report these times searched back to it. */
const latest = (times: readonly (string | null | undefined)[]): string | null =>
  times
    .filter((time) => typeof time === 'string')
    .sort()
    .at(-1) ?? null

function notAllowed(): never {
  throw personErrors.personalDataNotAllowed('text')
}

interface Facts {
  readonly id: bigint
  readonly createdAt: Date
  readonly status?: string
  readonly amount?: Kobo
  readonly customerName?: string | null
  readonly customerEmail?: string | undefined
}

const found = (kind: Found['kind'], reference: string, facts: Facts): Found => ({
  kind,
  id: String(facts.id),
  reference,
  status: facts.status ?? null,
  amount: facts.amount === undefined ? null : toNaira(facts.amount),
  createdOn: facts.createdAt.toISOString(),
  customerName: facts.customerName ?? null,
  customerEmail: facts.customerEmail ?? null,
})

async function transactionsOf(context: SearchContext, keys: readonly TransactionKey[]): Promise<readonly Found[]> {
  return showTransactions(context, await transactionReads.byKeys(context.db, keys))
}

/** Shows transactions with the same status as the list of transactions. */
async function showTransactions(
  { db, merchant }: SearchContext,
  rows: readonly Transaction[],
): Promise<readonly Found[]> {
  const { rows: items } = await withRefunds(db, merchant, { rows, next: undefined, searchedBackTo: undefined })
  const statuses = new Map(items.map((item) => [item.id, statusOf(item)]))
  return rows.map((row) =>
    found('transaction', row.transactionReference, { ...row, status: statuses.get(String(row.id)) ?? row.status }),
  )
}

/** Finds rows by the merchant's or our reference, or by a bank's session id. */
async function byReference(context: SearchContext, text: string): Promise<readonly Found[]> {
  const { db, merchant, may } = context
  const id = merchant.id
  const none = Promise.resolve(undefined)
  const paysOut = may('payout.read')
  const seesBalances = may('balances.read')
  const [named, ours, paid, refund, settlement, settled, wallet, account, mandate, dispute, link, logged, ...others] =
    await Promise.all([
      transactionReads.find(db, id, { paymentReference: text }),
      transactionReads.find(db, id, { transactionReference: text }),
      transactionReads.paidUnder(db, id, text),
      findRefundByEitherName(db, id, text),
      seesBalances ? findSettlement(db, id, text) : none,
      seesBalances ? findSettlementOfSession(db, id, text) : none,
      seesBalances ? findWallet(db, id, text) : none,
      findReservedAccount(db, id, text),
      findMandateByEitherName(db, id, text),
      findDispute(db, id, text),
      findLink(db, id, text),
      may('developer.read') ? fromLogs(context, text) : [],
      selectDestinations(db, [{ merchantId: id, code: text }]),
      findLimitProfile(db, id, text),
      paysOut ? findTransfer(db, id, text) : none,
      paysOut ? findTransfersNamed(db, id, text) : [],
      paysOut ? findBatchByEitherName(db, id, text) : none,
      paysOut ? findPaycodeByEitherName(db, id, text) : none,
      paysOut ? findVend(db, id, text) : none,
    ])
  const [subAccounts, profile, transfer, sent, batch, paycode, vend] = others
  return [
    ...(await showTransactions(
      context,
      [named, ours].filter((row) => row !== undefined),
    )),
    ...(await transactionsOf(context, paid)),
    ...(refund === undefined ? [] : [found('refund', refund.refundReference, refund)]),
    ...[settlement, settled].flatMap((row) =>
      row === undefined ? [] : found('settlement', row.settlementReference, { ...row, createdAt: row.settledAt }),
    ),
    ...walletFound(wallet),
    ...(account === undefined ? [] : [found('reserved-account', account.accountReference, account)]),
    ...(mandate === undefined ? [] : [found('mandate', mandate.mandateReference, mandateFacts(mandate))]),
    ...(dispute === undefined
      ? []
      : [found('dispute', dispute.reference, { ...dispute, createdAt: dispute.openedAt })]),
    ...(link === undefined ? [] : [found('payment-link', link.reference, linkFacts(link))]),
    ...subAccounts.map((row) => found('sub-account', row.code, row)),
    ...(profile === undefined ? [] : [found('limit-profile', profile.code, profile)]),
    ...[transfer, ...sent].flatMap((row) => (row === undefined ? [] : found('transfer', row.reference, row))),
    ...(batch === undefined ? [] : [found('batch', batch.batchReference, { ...batch, amount: batch.totalAmount })]),
    ...(paycode === undefined ? [] : [found('paycode', paycode.paycodeReference, paycode)]),
    ...(vend === undefined ? [] : [found('bill', vend.reference, { ...vend, amount: vend.vendAmount })]),
    ...logged,
  ]
}

/** Finds an event and the newest logged request by their IDs. */
async function fromLogs({ db, merchant }: SearchContext, text: string): Promise<readonly Found[]> {
  const id = BigInt(EVENT_ID.exec(text)?.[1] ?? 0)
  const [events, requests] = await Promise.all([
    id > 0n && id <= ID_MAX ? selectEvents(db, merchant.id, { id }, 1, 0) : [],
    selectRequests(db, merchant.id, { requestId: text }, { size: 1 }),
  ])
  return [
    ...events.map((row) => found('event', `evt_${row.id}`, row)),
    ...requests.rows.map((row) =>
      found('request', row.requestId, { id: row.id, createdAt: row.at, status: row.outcome }),
    ),
  ]
}

const walletFound = (row: WalletRow | undefined): readonly Found[] =>
  row === undefined
    ? []
    : [found('wallet', row.accountNumber, { ...row, customerEmail: row.customerEmail ?? undefined })]

type Mandate = NonNullable<Awaited<ReturnType<typeof findMandateByEitherName>>>
const mandateFacts = ({ id, createdAt, status, customerName, customerEmailAddress }: Mandate): Facts => ({
  id,
  createdAt,
  status,
  customerName,
  customerEmail: customerEmailAddress,
})

const linkFacts = ({ id, createdAt, amount }: NonNullable<Awaited<ReturnType<typeof findLink>>>): Facts => ({
  id,
  createdAt,
  ...(amount === null ? {} : { amount }),
})

/** Finds rows by an account number: of our own accounts, of a payment's source, or of a transfer's destination. */
async function byNumber(context: SearchContext, accountNumber: string): Promise<Reply<typeof search>> {
  const { db, merchant, may, to } = context
  const banks = to === undefined ? knownBanks() : []
  const [accounts, paidFrom, sentTo] = await Promise.all([
    findAccounts(
      db,
      banks.map(({ code }) => ({ bankCode: code, accountNumber })),
    ),
    transactionReads.paidFrom(db, merchant.id, accountNumber, to),
    to === undefined && may('payout.read') ? findTransfersTo(db, merchant.id, accountNumber) : [],
  ])
  const own = [...accounts.values()].filter(({ merchantId }) => merchantId === merchant.id)
  const owners = (purpose: VirtualAccount['purpose']): readonly TransactionKey[] =>
    own.filter((account) => account.purpose === purpose).map(({ merchantId, ownerId: id }) => ({ merchantId, id }))
  const walletIds = owners('wallet').map(({ id }) => id)
  const [transactions, reserved, wallet] = await Promise.all([
    transactionsOf(context, [...owners('transaction'), ...paidFrom.keys]),
    selectReservedAccounts(db, owners('reserved-account')),
    may('balances.read') && walletIds.length > 0 ? findWallet(db, merchant.id, accountNumber, walletIds) : undefined,
  ])
  return {
    found: [
      ...transactions,
      ...reserved.map((row) => found('reserved-account', row.accountReference, row)),
      ...walletFound(wallet),
      ...sentTo.map((row) => found('transfer', row.reference, row)),
    ],
    searchedBackTo: paidFrom.searchedBackTo?.toISOString() ?? null,
  }
}

/** Finds customers by email address, part of the name, or phone number. */
async function customersOf({ db, merchant, to, size }: SearchContext, text: string): Promise<readonly Found[]> {
  if (to !== undefined) return []
  const { rows } = await findCustomers(db, merchant.id, text, { size: Math.ceil(size / 4) })
  return rows.map((row) => found('customer', row.customerEmail, { ...row, createdAt: row.lastActivityAt }))
}

/** Finds the payments of a card by its last digits. */
async function byCard({ db, merchant, to, size }: SearchContext, text: string) {
  if (!CARD_DIGITS.test(text)) return { rows: [], searchedBackTo: undefined }
  const page = await transactionReads.paidByCard(db, merchant.id, text, to, { size: Math.ceil(size / 2) })
  const keys = page.rows.map(({ transactionId: id }) => ({ merchantId: merchant.id, id }))
  return { ...page, rows: await transactionReads.byKeys(db, keys) }
}

/** Finds customers and payments by a part of a reference or name; payments also by their card or amount. */
async function byPart(context: SearchContext, text: string): Promise<Reply<typeof search>> {
  const { db, merchant, may, to, size } = context
  const amount = AMOUNT.test(text) ? fromNaira(text.replace(/[₦,\s]/g, '')) : undefined
  const filters: readonly ListFilter[] = [
    { reference: text },
    ...(amount === undefined ? [] : [{ amountFrom: amount, amountTo: amount }]),
    ...(may('payer.read') ? [{ customer: text }] : []),
  ]
  const [customers, cards, ...pages] = await Promise.all([
    may('payer.read') ? customersOf(context, text) : [],
    byCard(context, text),
    ...filters.map((filter) => transactionReads.list(db, merchant.id, { ...filter, to }, { size })),
  ])
  const newest = newestFirst(pages.flatMap(({ rows }) => rows)).slice(0, size)
  // Many references happen to contain these four digits, so payments by the card come first.
  const rows = new Map([...newestFirst(cards.rows), ...newest].map((row) => [row.id, row]))
  return {
    found: [...customers, ...(await showTransactions(context, [...rows.values()]))],
    searchedBackTo: latest([cards, ...pages].map((page) => page.searchedBackTo?.toISOString())),
  }
}

/** Returns each of these transactions once, the newest first. */
const newestFirst = (rows: readonly Transaction[]): readonly Transaction[] =>
  [...new Map(rows.map((row) => [row.id, row])).values()].toSorted((one, other) => (one.id < other.id ? 1 : -1))

/** Finds rows by a customer's email address. */
async function byEmail(context: SearchContext, customer: string): Promise<Reply<typeof search>> {
  const { db, merchant, to, size } = context
  const place = { size }
  const none = { rows: [] }
  const [customers, accounts, mandates, transactions] = await Promise.all([
    customersOf(context, customer),
    to === undefined ? reservedAccountList(db, merchant.id, { customer }, place) : none,
    to === undefined ? mandateList(db, merchant.id, { customer }, place) : none,
    transactionReads.list(db, merchant.id, { customer, to }, place),
  ])
  return {
    found: [
      ...customers,
      ...accounts.rows.map((row) => found('reserved-account', row.accountReference, row)),
      ...mandates.rows.map((row) => found('mandate', row.mandateReference, mandateFacts(row))),
      ...(await showTransactions(context, transactions.rows)),
    ],
    searchedBackTo: transactions.searchedBackTo?.toISOString() ?? null,
  }
}
