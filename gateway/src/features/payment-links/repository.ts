import type { PAYMENT_LINK_USAGES } from '@kobo/contract'
import type { Kobo } from '../../kernel/money.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import { listing } from '../../platform/postgres/list-search.ts'
import { type CountedPage, type RequestedPage, selectPage } from '../../platform/postgres/pagination.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { column, type Row, table } from '../../platform/postgres/table.ts'

const paymentLinks = table('payment_link', ['merchantId', 'id'], {
  merchantId: column<bigint>(),
  id: column<bigint>(),
  /** The merchant's reference. */
  reference: column<string>(),
  /** The part of its URL after /pay/. */
  slug: column<string>(),
  title: column<string>(),
  description: column<string | null>(),
  contractCode: column<string>(),
  /** Null if the payer chooses the amount. */
  amount: column<Kobo | null>(),
  usage: column<(typeof PAYMENT_LINK_USAGES)[number]>(),
  paymentMethods: column<readonly string[]>(),
  redirectUrl: column<string | null>(),
  createdAt: column<Date>(),
  expiresAt: column<Date | null>(),
  disabledAt: column<Date | null>(),
  /** The latest transaction of a single-use link. */
  transactionId: column<bigint | null>(),
})
export type PaymentLinkRow = Row<typeof paymentLinks>

/** The transactions that payers have started through a link. */
const linkTransactions = table('payment_link_transaction', ['merchantId', 'linkId', 'transactionId'], {
  merchantId: column<bigint>(),
  linkId: column<bigint>(),
  transactionId: column<bigint>(),
})

export const paymentLinkList = listing(paymentLinks, { idFormat: 'standard', amount: 'amount' })

/** Inserts a link; returns whether its reference was new. */
export const insertLink = async (tx: Tx, row: PaymentLinkRow): Promise<boolean> =>
  (await paymentLinks.insertNew(tx, [row], sql`(merchant_id, reference)`)) === 1

export async function findLink(
  db: Db | Tx,
  merchantId: bigint,
  reference: string,
): Promise<PaymentLinkRow | undefined> {
  const [row] = await db<PaymentLinkRow[]>`
    select ${paymentLinks.columns} from payment_link where merchant_id = ${merchantId} and reference = ${reference}`
  return row
}

export async function findBySlug(db: Db, slug: string): Promise<PaymentLinkRow | undefined> {
  // Over all merchants: the payer who opens a link knows only its slug.
  const [row] = await db<PaymentLinkRow[]>`select ${paymentLinks.columns} from payment_link where slug = ${slug}`
  return row
}

/** Locks a link until the database transaction ends. */
export async function lockLink(tx: Tx, merchantId: bigint, id: bigint): Promise<PaymentLinkRow | undefined> {
  const [row] = await tx<PaymentLinkRow[]>`
    select ${paymentLinks.columns}
      from payment_link
     where merchant_id = ${merchantId} and id = ${id}
       for no key update`
  return row
}

/** Writes the columns that may change. */
export const updateLink = (tx: Tx, row: PaymentLinkRow): void =>
  paymentLinks.update(tx, [row], ['disabledAt', 'transactionId'])

/** Returns a page of a merchant's links, newest first. */
export const selectLinks = (db: Db, merchantId: bigint, page: RequestedPage): Promise<CountedPage<PaymentLinkRow>> =>
  selectPage(db, paymentLinks, sql`merchant_id = ${merchantId}`, page)

export const insertLinkTransaction = (tx: Tx, row: Row<typeof linkTransactions>): void =>
  linkTransactions.insert(tx, [row])

/** Returns the ids of a link's transactions, newest first. */
export const selectLinkTransactions = async (
  db: Db,
  { merchantId, id }: Pick<PaymentLinkRow, 'merchantId' | 'id'>,
  limit: number,
): Promise<readonly bigint[]> => {
  const rows = await db<{ transactionId: bigint }[]>`
    select transaction_id from payment_link_transaction
     where merchant_id = ${merchantId} and link_id = ${id}
     order by transaction_id desc
     limit ${limit}`
  return rows.map(({ transactionId }) => transactionId)
}
