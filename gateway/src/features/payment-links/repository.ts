import type { PAYMENT_LINK_USAGES } from '@kobo/contract'
import type { Kobo } from '../../kernel/money.ts'
import type { Db, Tx } from '../../platform/db.ts'
import { listing } from '../../platform/listing.ts'
import { type CountedPage, type PageWanted, selectPage } from '../../platform/pages.ts'
import { sql } from '../../platform/sql.ts'
import { column, type Row, table } from '../../platform/table.ts'

const paymentLinks = table('payment_link', ['merchantId', 'id'], {
  merchantId: column<bigint>(),
  id: column<bigint>(),
  /** The merchant's own. */
  reference: column<string>(),
  /** What stands behind /pay/ in its address. */
  slug: column<string>(),
  title: column<string>(),
  description: column<string | null>(),
  contractCode: column<string>(),
  /** Null where the payer says how much. */
  amount: column<Kobo | null>(),
  usage: column<(typeof PAYMENT_LINK_USAGES)[number]>(),
  paymentMethods: column<readonly string[]>(),
  redirectUrl: column<string | null>(),
  createdAt: column<Date>(),
  expiresAt: column<Date | null>(),
  disabledAt: column<Date | null>(),
  /** The transaction that was opened last through a link that is paid once. */
  transactionId: column<bigint | null>(),
})
export type PaymentLinkRow = Row<typeof paymentLinks>

/** A merchant's payment links as a list. */
export const paymentLinkList = listing(paymentLinks, { idsAre: 'moments', amount: 'amount' })

/** Inserts a link whose reference is new; answers whether it was. */
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

/** The link at an address. */
export async function findBySlug(db: Db, slug: string): Promise<PaymentLinkRow | undefined> {
  // Over all merchants: a directory, since whoever opens a link knows none.
  const [row] = await db<PaymentLinkRow[]>`select ${paymentLinks.columns} from payment_link where slug = ${slug}`
  return row
}

/** A link as it is now: until the transaction ends nobody else changes it. */
export async function lockLink(tx: Tx, merchantId: bigint, id: bigint): Promise<PaymentLinkRow | undefined> {
  const [row] = await tx<PaymentLinkRow[]>`
    select ${paymentLinks.columns}
      from payment_link
     where merchant_id = ${merchantId} and id = ${id}
       for no key update`
  return row
}

/** Writes what may change of a link. */
export const updateLink = (tx: Tx, row: PaymentLinkRow): void =>
  paymentLinks.update(tx, [row], ['disabledAt', 'transactionId'])

/** A page of a merchant's links, newest first. */
export const selectLinks = (db: Db, merchantId: bigint, wanted: PageWanted): Promise<CountedPage<PaymentLinkRow>> =>
  selectPage(db, paymentLinks, sql`merchant_id = ${merchantId}`, wanted)
