import { type PersonPermission, personRefusals, type Reply, type search } from '@kobo/contract'
import { findAccounts, type VirtualAccount } from '../../core/account-numbers/index.ts'
import { knownBanks } from '../../core/bank-list/index.ts'
import { type Merchant, selectDestinations } from '../../core/merchants/index.ts'
import { refusals } from '../../kernel/errors.ts'
import { fromNaira, type Kobo, toNaira, ZERO } from '../../kernel/money.ts'
import type { Db } from '../../platform/postgres/db.ts'
import type { ListFilter } from '../../platform/postgres/list-search.ts'
import { findVend } from '../bills/index.ts'
import { findCustomers } from '../customers/index.ts'
import { findMandateByEitherName, mandateList } from '../direct-debit/index.ts'
import { findBatch, findTransfer, findTransfersBySession, findTransfersTo } from '../disbursements/index.ts'
import { findDispute } from '../disputes/index.ts'
import { findPaycode } from '../paycodes/index.ts'
import { findLink } from '../payment-links/index.ts'
import { findRefund, selectRefundedSums } from '../refunds/index.ts'
import { findReservedAccount, reservedAccountList, selectReservedAccounts } from '../reserved-accounts/index.ts'
import { findSettlement } from '../settlements/index.ts'
import { type Transaction, type TransactionKey, transactionReads } from '../transactions/index.ts'

export type Found = Reply<typeof search>['found'][number]

interface SearchContext {
  readonly db: Db
  readonly merchant: Merchant
  /** Whether the user has a permission. */
  readonly may: (permission: PersonPermission) => boolean
  /** Set if an earlier search stopped at this time: only payments up to it are searched. */
  readonly to: Date | undefined
}

const FOUND_MAX = 20
const CUSTOMERS_MAX = 5
const personErrors = refusals(personRefusals)
const EMAIL = /^[^@\s]+@[^@\s]+$/
const ACCOUNT_NUMBER = /^\d{10}$/
/** An amount as people write it: ₦12,500 or 12500.00. */
const AMOUNT = /^₦?\s*\d{1,3}(,?\d{3})*(\.\d{1,2})?$/
/** A shorter text is a part of too many references and names. */
const PART_LENGTH_MIN = 3
const NOTHING: Reply<typeof search> = { found: [], searchedBackTo: null }

/**
 * Finds anything by its reference, number or email address. If there is nothing, it finds customers, and payments by
 * amount, name or part of a reference.
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
  const found = [...named, ...numbered.found].slice(0, FOUND_MAX)
  if (found.length === 0 && text.length >= PART_LENGTH_MIN) {
    const part = await byPart(context, text)
    return { ...part, searchedBackTo: latest([part.searchedBackTo, numbered.searchedBackTo]) }
  }
  const once = new Map(found.map((one) => [`${one.kind} ${one.reference}`, one]))
  return { ...numbered, found: [...once.values()] }
}

/** How far several searches got: all of them searched back to the latest of their times. ISO texts sort by time. */
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
  readonly customerEmail?: string
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

/** Transactions with the status that their list shows: a refunded payment is refunded, not paid. */
async function showTransactions(
  { db, merchant }: SearchContext,
  rows: readonly Transaction[],
): Promise<readonly Found[]> {
  const paid = rows.filter(({ amountPaid }) => amountPaid > ZERO).map(({ id }) => id)
  const sums = paid.length === 0 ? [] : await selectRefundedSums(db, merchant.id, paid)
  const refunded = new Map(sums.map(({ transactionId, amount }) => [transactionId, amount]))
  return rows.map((row) => {
    const back = refunded.get(row.id) ?? ZERO
    const status = back === ZERO ? row.status : back < row.amountPaid ? 'PARTIALLY_REFUNDED' : 'REFUNDED'
    return found('transaction', row.transactionReference, { ...row, status })
  })
}

/** Finds rows by the merchant's or our reference, or by a bank's session id. */
async function byReference(context: SearchContext, text: string): Promise<readonly Found[]> {
  const { db, merchant, may } = context
  const id = merchant.id
  const none = Promise.resolve(undefined)
  const paysOut = may('payout.read')
  const [named, ours, paid, refund, settlement, account, mandate, dispute, link, subAccounts, ...payouts] =
    await Promise.all([
      transactionReads.find(db, id, { paymentReference: text }),
      transactionReads.find(db, id, { transactionReference: text }),
      transactionReads.paidUnder(db, id, text),
      findRefund(db, id, text),
      may('balances.read') ? findSettlement(db, id, text) : none,
      findReservedAccount(db, id, text),
      findMandateByEitherName(db, id, text),
      findDispute(db, id, text),
      findLink(db, id, text),
      selectDestinations(db, [{ merchantId: id, code: text }]),
      paysOut ? findTransfer(db, id, text) : none,
      paysOut ? findTransfersBySession(db, id, text) : [],
      paysOut ? findBatch(db, id, text) : none,
      paysOut ? findPaycode(db, id, text) : none,
      paysOut ? findVend(db, id, text) : none,
    ])
  const [transfer, sent, batch, paycode, vend] = payouts
  return [
    ...(await showTransactions(
      context,
      [named, ours].filter((row) => row !== undefined),
    )),
    ...(await transactionsOf(context, paid)),
    ...(refund === undefined ? [] : [found('refund', refund.refundReference, refund)]),
    ...(settlement === undefined
      ? []
      : [found('settlement', settlement.settlementReference, { ...settlement, createdAt: settlement.settledAt })]),
    ...(account === undefined ? [] : [found('reserved-account', account.accountReference, account)]),
    ...(mandate === undefined ? [] : [found('mandate', mandate.mandateReference, mandateFacts(mandate))]),
    ...(dispute === undefined
      ? []
      : [found('dispute', dispute.reference, { ...dispute, createdAt: dispute.openedAt })]),
    ...(link === undefined ? [] : [found('payment-link', link.reference, linkFacts(link))]),
    ...subAccounts.map((row) => found('sub-account', row.code, row)),
    ...[transfer, ...sent].flatMap((row) => (row === undefined ? [] : found('transfer', row.reference, row))),
    ...(batch === undefined ? [] : [found('batch', batch.batchReference, { ...batch, amount: batch.totalAmount })]),
    ...(paycode === undefined ? [] : [found('paycode', paycode.paycodeReference, paycode)]),
    ...(vend === undefined ? [] : [found('bill', vend.reference, { ...vend, amount: vend.vendAmount })]),
  ]
}

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

/** Finds rows by an account number: a reserved account, the source of one of the newest payments, or a destination. */
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
  const [transactions, reserved] = await Promise.all([
    transactionsOf(context, [...owners('transaction'), ...paidFrom.keys]),
    selectReservedAccounts(db, owners('reserved-account')),
  ])
  return {
    found: [
      ...transactions,
      ...reserved.map((row) => found('reserved-account', row.accountReference, row)),
      ...sentTo.map((row) => found('transfer', row.reference, row)),
    ],
    searchedBackTo: paidFrom.searchedBackTo?.toISOString() ?? null,
  }
}

/** Finds customers by email address, part of the name, or phone number. */
async function customersOf({ db, merchant, to }: SearchContext, text: string): Promise<readonly Found[]> {
  if (to !== undefined) return []
  const { rows } = await findCustomers(db, merchant.id, text, { size: CUSTOMERS_MAX })
  return rows.map((row) => found('customer', row.customerEmail, { ...row, createdAt: row.lastActivityAt }))
}

/** Finds customers, and payments by their amount, by a part of their reference or of the customer's name. */
async function byPart(context: SearchContext, text: string): Promise<Reply<typeof search>> {
  const { db, merchant, may, to } = context
  const amount = AMOUNT.test(text) ? fromNaira(text.replace(/[₦,\s]/g, '')) : undefined
  const filters: readonly ListFilter[] = [
    { reference: text },
    ...(amount === undefined ? [] : [{ amountFrom: amount, amountTo: amount }]),
    ...(may('payer.read') ? [{ customer: text }] : []),
  ]
  const [customers, ...pages] = await Promise.all([
    may('payer.read') ? customersOf(context, text) : [],
    ...filters.map((filter) => transactionReads.list(db, merchant.id, { ...filter, to }, { size: FOUND_MAX })),
  ])
  const once = new Map(pages.flatMap(({ rows }) => rows).map((row) => [row.id, row]))
  const newest = [...once.values()].toSorted((one, other) => (one.id < other.id ? 1 : -1)).slice(0, FOUND_MAX)
  return {
    found: [...customers, ...(await showTransactions(context, newest))],
    searchedBackTo: latest(pages.map((page) => page.searchedBackTo?.toISOString())),
  }
}

/** Finds rows by a customer's email address. */
async function byEmail(context: SearchContext, customer: string): Promise<Reply<typeof search>> {
  const { db, merchant, to } = context
  const place = { size: FOUND_MAX }
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
