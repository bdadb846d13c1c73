import { LIST_SIZE_DEFAULT, type LISTS, type ListName } from '@kobo/contract'
import type { Static } from 'typebox'
import { selectRequests } from '../../core/edge/request-recorder/index.ts'
import { type Merchant, subAccountList } from '../../core/merchants/index.ts'
import { countAttempts, eventList } from '../../core/messages/outbox/index.ts'
import { statementList } from '../../core/money/wallet-balances/index.ts'
import { auditList } from '../../core/security/audit.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { fromMoment, throughMoment } from '../../kernel/dates.ts'
import { firstTransactionIdAt, momentOfTransactionId } from '../../kernel/ids.ts'
import { naira, ZERO } from '../../kernel/money.ts'
import type { Db } from '../../platform/postgres/db.ts'
import type { ListFilter, Listing, ListPage, PlaceInList } from '../../platform/postgres/list-search.ts'
import { rejectedBy } from '../approvals/index.ts'
import { vendList } from '../bills/index.ts'
import { findCustomers } from '../customers/index.ts'
import { mandateList } from '../direct-debit/index.ts'
import {
  batchList,
  findBatch,
  findFailedItems,
  type TransferRow,
  transferList,
  transfersInBatch,
} from '../disbursements/index.ts'
import { disputeList, withDebts } from '../disputes/index.ts'
import { invoiceList } from '../invoices/index.ts'
import { limitProfileList } from '../limit-profiles/index.ts'
import { paycodeList } from '../paycodes/index.ts'
import { paymentLinkList, withTransactions } from '../payment-links/index.ts'
import { refundList, selectRefundedIds, selectRefundedSums } from '../refunds/index.ts'
import { findReservedAccount, reservedAccountList } from '../reserved-accounts/index.ts'
import { selectSettledSums, settlementList } from '../settlements/index.ts'
import { type Transaction, transactionReads } from '../transactions/index.ts'
import type { ListItem } from './show.ts'
import * as show from './show.ts'

export type ListQuery<N extends ListName> = Static<(typeof LISTS)[N]['query']>

/** The merchant that reads a list, and when. */
export interface Reader {
  readonly db: Db
  readonly merchant: Merchant
  readonly at: Date
}

type Read<N extends ListName> = (
  reader: Reader,
  query: ListQuery<N>,
  filter: ListFilter,
  place: PlaceInList,
) => Promise<ListPage<ListItem<N>>>

const shown = <R, Item>(page: ListPage<R>, one: (row: R) => Item): ListPage<Item> => ({
  ...page,
  rows: page.rows.map(one),
})

/** Reads a list whose items need no data besides their rows. */
const plain =
  <R, Item>(list: Listing<R>, one: (row: R) => Item) =>
  async ({ db, merchant }: Reader, _: unknown, filter: ListFilter, place: PlaceInList): Promise<ListPage<Item>> =>
    shown(await list(db, merchant.id, filter, place), one)

const NOTHING = { rows: [], next: undefined, searchedBackTo: undefined }

/** Adds the refunded amounts to a page of transactions. */
export async function withRefunds(
  db: Db,
  { id: merchantId }: Merchant,
  page: ListPage<Transaction>,
): Promise<ListPage<ListItem<'transactions'>>> {
  const paid = page.rows.filter(({ amountPaid }) => amountPaid > 0n).map(({ id }) => id)
  const sums = paid.length === 0 ? [] : await selectRefundedSums(db, merchantId, paid)
  const refunded = new Map(sums.map(({ transactionId, amount }) => [transactionId, amount]))
  return shown(page, (row) => show.transaction(row, refunded.get(row.id) ?? ZERO))
}

/** Returns the status that the list of transactions shows: a refunded transaction is REFUNDED, not PAID. */
export const statusOf = ({ status, amountPaid, amountRefunded }: ListItem<'transactions'>) =>
  amountRefunded === 0 ? status : amountRefunded < amountPaid ? 'PARTIALLY_REFUNDED' : 'REFUNDED'

/** How many refunded transactions one request searches, and how many at a time. */
const REFUNDED_MAX = 1_000
const REFUNDED_PER_PAGE = 100

/** Reads the transactions that were refunded in full or in part. They are found through the index of refunds. */
async function readRefunded(
  { db, merchant }: Reader,
  status: string,
  filter: ListFilter,
  { before, size, isOldestFirst }: PlaceInList,
  accountId: bigint | undefined,
): Promise<ListPage<ListItem<'transactions'>>> {
  const found: ListItem<'transactions'>[] = []
  const [start, end] = isOldestFirst ? [filter.from, filter.to] : [filter.to, filter.from]
  const outside =
    start && (isOldestFirst ? firstTransactionIdAt(start) - 1n : firstTransactionIdAt(secondsAfter(start, 1)))
  let next = before ?? outside
  for (let searched = 0; searched < REFUNDED_MAX; searched += REFUNDED_PER_PAGE) {
    const place = { size: REFUNDED_PER_PAGE, isOldestFirst }
    const ids = await selectRefundedIds(db, merchant.id, { ...place, before: next })
    const page = await transactionReads.listOf(db, merchant.id, ids, { ...filter, statuses: undefined }, place)
    const inAccount = page.rows.filter((row) => accountId === undefined || row.reservedAccountId === accountId)
    const { rows } = await withRefunds(db, merchant, { ...page, rows: inAccount })
    found.push(...rows.filter((row) => statusOf(row) === status))
    const last = found[size - 1]
    if (found.length > size && last !== undefined)
      return { rows: found.slice(0, size), next: BigInt(last.id), searchedBackTo: undefined }
    next = ids.at(-1)
    const isOver = next === undefined || isPast(momentOfTransactionId(next), end, isOldestFirst)
    if (isOver || ids.length < REFUNDED_PER_PAGE) return { ...NOTHING, rows: found }
  }
  return { rows: found, next, searchedBackTo: momentOfTransactionId(next ?? 0n) }
}

const isPast = (moment: Date, end: Date | undefined, isOldestFirst: boolean | undefined): boolean =>
  end !== undefined && (isOldestFirst ? moment > end : moment < end)

/** Adds the approvers who rejected transfers to a page of transfers. */
async function withRejections(
  db: Db,
  { id: merchantId }: Merchant,
  page: ListPage<TransferRow>,
): Promise<ListPage<ListItem<'transfers'>>> {
  const payoutOf = ({ id, batchId }: TransferRow): bigint => batchId ?? id
  const failed = page.rows.filter(({ status }) => status === 'FAILED').map(payoutOf)
  const names = await rejectedBy(db, merchantId, failed)
  return shown(page, (row) => show.transfer(row, row.status === 'FAILED' ? names.get(payoutOf(row)) : undefined))
}

/** How many pages of invoices one request searches for a status. */
const INVOICE_PAGES_MAX = 10
const INVOICES_PER_PAGE = 100

/**
 * Reads invoices, only those of one status if it is given. The status depends on the transaction and on the current
 * time, so SQL cannot filter by it.
 */
async function readInvoices(
  { db, merchant, at }: Reader,
  status: ListItem<'invoices'>['status'] | undefined,
  filter: ListFilter,
  { before, size, isOldestFirst }: PlaceInList,
): Promise<ListPage<ListItem<'invoices'>>> {
  const found: ListItem<'invoices'>[] = []
  let next = before
  for (let round = 0; round < (status === undefined ? 1 : INVOICE_PAGES_MAX); round++) {
    const place = { before: next, size: status === undefined ? size : INVOICES_PER_PAGE, isOldestFirst }
    const page = await invoiceList(db, merchant.id, filter, place)
    const keys = page.rows.map(({ merchantId, transactionId: id }) => ({ merchantId, id }))
    const transactions = new Map((await transactionReads.byKeys(db, keys)).map((row) => [row.id, row]))
    const items = page.rows.map((row) => show.invoice(row, transactions.get(row.transactionId), at))
    found.push(...items.filter((item) => status === undefined || item.status === status))
    const last = found[size - 1]
    if (found.length > size && last !== undefined)
      return { rows: found.slice(0, size), next: BigInt(last.id), searchedBackTo: undefined }
    next = page.next
    if (next === undefined) break
  }
  const isSearching = status !== undefined && next !== undefined
  return { rows: found, next, searchedBackTo: isSearching ? momentOfTransactionId(next ?? 0n) : undefined }
}

/** The reader function of each list. */
const READ: { readonly [N in ListName]: Read<N> } = {
  transactions: async (reader, { reservedAccountReference: reference, status }, filter, place) => {
    const { db, merchant } = reader
    const account = reference === undefined ? undefined : await findReservedAccount(db, merchant.id, reference)
    if (reference !== undefined && account === undefined) return NOTHING
    if (status === 'REFUNDED' || status === 'PARTIALLY_REFUNDED')
      return readRefunded(reader, status, filter, place, account?.id)
    if (account === undefined)
      return withRefunds(db, merchant, await transactionReads.list(db, merchant.id, filter, place))
    return withRefunds(db, merchant, await transactionReads.listOfReservedAccount(db, account, filter, place))
  },
  customers: async ({ db, merchant }, { customer }, _, place) =>
    shown(await findCustomers(db, merchant.id, customer, place), show.customer),
  transfers: async ({ db, merchant }, { batchReference }, filter, place) => {
    if (batchReference === undefined)
      return withRejections(db, merchant, await transferList(db, merchant.id, filter, place))
    const batch = await findBatch(db, merchant.id, batchReference)
    if (batch === undefined) return NOTHING
    return withRejections(db, merchant, await transfersInBatch(db, batch, filter, place))
  },
  batches: async ({ db, merchant }, _, filter, place) => {
    const page = await batchList(db, merchant.id, filter, place)
    const failed = await findFailedItems(db, merchant.id, page.rows)
    return shown(page, (row) => show.batch(row, failed.get(row.id)))
  },
  refunds: plain(refundList, show.refund),
  disputes: async ({ db, merchant }, _, filter, place) => {
    const page = await disputeList(db, merchant.id, filter, place)
    return { ...page, rows: (await withDebts(db, page.rows)).map(show.dispute) }
  },
  settlements: async ({ db, merchant }, _, filter, place) => {
    const page = await settlementList(db, merchant.id, filter, place)
    const sums = new Map((await selectSettledSums(db, page.rows)).map((sum) => [sum.id, sum]))
    return shown(page, (row) => show.settlement(row, sums.get(row.id)))
  },
  'reserved-accounts': plain(reservedAccountList, show.reservedAccount),
  invoices: async (reader, { status }, filter, place) => readInvoices(reader, status, filter, place),
  'payment-links': async ({ db, merchant, at }, _, filter, place) => {
    const page = await paymentLinkList(db, merchant.id, filter, place)
    const links = await withTransactions(db, page.rows)
    return { ...page, rows: links.map((link) => show.paymentLink(link, at)) }
  },
  mandates: plain(mandateList, show.mandate),
  'sub-accounts': plain(subAccountList, show.subAccount),
  paycodes: plain(paycodeList, show.paycode),
  bills: plain(vendList, show.vend),
  'limit-profiles': plain(limitProfileList, show.limitProfile),
  statement: async ({ db, merchant }, { accountNumber = merchant.walletAccountNumber, type }, filter, place) =>
    shown(
      await statementList(db, { merchantId: merchant.id, accountNumber }, { ...filter, method: type }, place),
      show.statementLine,
    ),
  events: async ({ db, merchant }, { eventType, status }, filter, place) => {
    const statuses = status === 'PENDING' ? [status, 'WAITING', 'PAUSED'] : filter.statuses
    const page = await eventList(db, merchant.id, { ...filter, statuses, method: eventType }, place)
    const attempts = await countAttempts(
      db,
      merchant.id,
      page.rows.map(({ id }) => id),
    )
    return shown(page, (row) => show.event(row, attempts.get(row.id) ?? 0))
  },
  requests: async ({ db, merchant }, { outcome, route, reference }, filter, place) => {
    const statuses = outcome === undefined ? undefined : [outcome]
    return shown(await selectRequests(db, merchant.id, { ...filter, statuses, route, reference }, place), show.request)
  },
  audit: async ({ db, merchant }, { act }, filter, place) =>
    shown(await auditList(db, merchant.id, { ...filter, method: act }, place), show.audited),
}

/** The query parameters of every list, validated by the contract. */
type CommonQuery = Readonly<
  Partial<
    Record<'before' | 'order' | 'from' | 'to' | 'status' | 'method' | 'amountFrom' | 'amountTo' | 'customer', string>
  >
> & { readonly size?: number }

/** Reads a page of a list. */
export function readList<N extends ListName>(
  reader: Reader,
  name: N,
  query: ListQuery<N>,
  size?: number,
): Promise<ListPage<ListItem<N>>> {
  const read = READ[name] as Read<N>
  const common = query as CommonQuery
  return read(reader, query, filterOf(common), {
    before: common.before === undefined ? undefined : BigInt(common.before),
    size: size ?? common.size ?? LIST_SIZE_DEFAULT,
    isOldestFirst: common.order === 'OLDEST',
  })
}

function filterOf({ from, to, status, method, amountFrom, amountTo, customer }: CommonQuery): ListFilter {
  return {
    from: from === undefined ? undefined : fromMoment(from),
    to: to === undefined ? undefined : throughMoment(to),
    statuses: status === undefined ? undefined : [status],
    method,
    amountFrom: amountFrom === undefined ? undefined : naira(amountFrom),
    amountTo: amountTo === undefined ? undefined : naira(amountTo),
    customer,
  }
}
