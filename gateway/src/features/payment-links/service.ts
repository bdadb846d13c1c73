import type { PaymentLinkStatus } from '@kobo/contract'
import type { Core } from '../../core/core.ts'
import { inLanguage, type PayerLanguage, textsIn } from '../../core/edge/pages/index.ts'
import type { Merchant } from '../../core/merchants/index.ts'
import type { CustomerMails } from '../../core/messages/customer-mails.ts'
import { notify } from '../../core/messages/notices.ts'
import { type UnitOfWork, unitOfWork } from '../../core/unit-of-work.ts'
import { displayMoment } from '../../kernel/dates.ts'
import { invariant } from '../../kernel/errors.ts'
import { randomSlug } from '../../kernel/ids.ts'
import { formatNaira, type Kobo, ZERO } from '../../kernel/money.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import type { CountedPage, RequestedPage } from '../../platform/postgres/pagination.ts'
import {
  cancelTransaction,
  draftTransaction,
  openTransaction,
  type Transaction,
  transactionReads,
  transactionRules,
} from '../transactions/index.ts'
import { paymentLinkErrors } from './errors.ts'
import {
  findBySlug,
  findLink,
  insertLink,
  insertLinkTransaction,
  lockLink,
  type PaymentLinkRow,
  selectLinks,
  updateLink,
} from './repository.ts'

/** Each character is one of 32, so there are 2^80 slugs: too many to guess. */
const SLUG_LENGTH = 16

/** A link, and the latest transaction of a single-use link. */
export interface PaymentLink extends PaymentLinkRow {
  readonly transaction: Transaction | undefined
}

/** A merchant's request for a new link. */
export type NewLink = Pick<
  PaymentLinkRow,
  | 'reference'
  | 'title'
  | 'description'
  | 'contractCode'
  | 'amount'
  | 'usage'
  | 'paymentMethods'
  | 'redirectUrl'
  | 'expiresAt'
>

/**
 * Whether a link takes payments at the given time, and if not, why. A single-use link ends with a payment that expires
 * partly paid, as an invoice does, because the part stays collected.
 */
export function linkStatus({ disabledAt, expiresAt, transaction }: PaymentLink, at: Date): PaymentLinkStatus {
  if (transaction?.status === 'PAID' || transaction?.status === 'OVERPAID') return 'PAID'
  if (disabledAt !== null) return 'DISABLED'
  if (transaction?.status === 'PARTIALLY_PAID' && transactionRules.checkOpen(transaction, at) !== undefined)
    return 'EXPIRED'
  return expiresAt !== null && expiresAt <= at ? 'EXPIRED' : 'ACTIVE'
}

export function createLink(core: Core, merchant: Merchant, requested: NewLink): Promise<PaymentLink> {
  transactionRules.check(merchant, {
    ...requested,
    amount: requested.amount ?? transactionRules.amountMin,
    currencyCode: CURRENCY,
  })
  return unitOfWork(core, async ({ tx, ids, at }) => {
    if (requested.expiresAt !== null && requested.expiresAt <= at) throw paymentLinkErrors.expiryPast()
    const row: PaymentLinkRow = {
      ...requested,
      merchantId: merchant.id,
      id: ids.id(),
      slug: randomSlug(SLUG_LENGTH),
      createdAt: at,
      disabledAt: null,
      transactionId: null,
    }
    if (!(await insertLink(tx, row))) throw paymentLinkErrors.duplicateReference()
    return { ...row, transaction: undefined }
  })
}

export async function withTransactions(db: Db | Tx, links: readonly PaymentLinkRow[]): Promise<readonly PaymentLink[]> {
  const keys = links.flatMap(({ merchantId, transactionId: id }) => (id === null ? [] : { merchantId, id }))
  const found = keys.length === 0 ? [] : await transactionReads.byKeys(db, keys)
  const transactions = new Map(found.map((row) => [row.id, row]))
  return links.map((link) => ({
    ...link,
    transaction: link.transactionId === null ? undefined : transactions.get(link.transactionId),
  }))
}

const withTransaction = async (db: Db | Tx, link: PaymentLinkRow): Promise<PaymentLink> => {
  const [one] = await withTransactions(db, [link])
  invariant(one !== undefined, 'one link is found for one key')
  return one
}

export async function getLink(db: Db, merchantId: bigint, reference: string): Promise<PaymentLink> {
  const link = await findLink(db, merchantId, reference)
  if (link === undefined) throw paymentLinkErrors.notFound()
  return withTransaction(db, link)
}

/** Finds the link of a URL by its slug, with its merchant. */
export async function openedLink(
  { db, directory }: Core,
  slug: string,
): Promise<{ readonly link: PaymentLink; readonly merchant: Merchant } | undefined> {
  const link = await findBySlug(db, slug)
  const merchant = link === undefined ? undefined : await directory.byId(link.merchantId)
  return link === undefined || merchant === undefined ? undefined : { link: await withTransaction(db, link), merchant }
}

/** Returns a page of links, newest first, with the total. */
export async function listLinks(db: Db, merchantId: bigint, page: RequestedPage): Promise<CountedPage<PaymentLink>> {
  const found = await selectLinks(db, merchantId, page)
  return { ...found, rows: await withTransactions(db, found.rows) }
}

/** Locks a merchant's link; rejects an unknown reference. */
async function lockByReference({ tx }: UnitOfWork, merchantId: bigint, reference: string): Promise<PaymentLink> {
  const found = await findLink(tx, merchantId, reference)
  const link = found && (await lockLink(tx, merchantId, found.id))
  if (link === undefined) throw paymentLinkErrors.notFound()
  return withTransaction(tx, link)
}

/** Disables a link. A second call changes nothing. */
export const disableLink = (core: Core, merchantId: bigint, reference: string): Promise<PaymentLink> =>
  unitOfWork(core, async (unit) => {
    const link = await lockByReference(unit, merchantId, reference)
    const disabled = { ...link, disabledAt: link.disabledAt ?? unit.at }
    updateLink(unit.tx, disabled)
    return disabled
  })

export async function mailLink(
  { core, customerMails }: { readonly core: Core; readonly customerMails: CustomerMails },
  merchant: Merchant,
  reference: string,
  { email: recipient, language }: { readonly email: string; readonly language?: string },
  url: (link: PaymentLink) => string,
): Promise<PaymentLink> {
  const found = await getLink(core.db, merchant.id, reference)
  const { title, description } = found
  await customerMails.check(merchant.id, recipient, { title, description })
  const texts = await textsIn(language)
  return unitOfWork(core, async (unit) => {
    const link = await lockByReference(unit, merchant.id, reference)
    const status = linkStatus(link, unit.at)
    if (status !== 'ACTIVE') throw paymentLinkErrors.over(status)
    const text = linkText(found, merchant, inLanguage(url(link), language), texts)
    const subject = `${merchant.name}: ${title}`
    notify(unit, [{ merchantId: merchant.id, recipient, subject, text, language: texts.language }])
    return link
  })
}

const linkText = (
  { title, description, amount, expiresAt }: PaymentLink,
  { name }: Merchant,
  url: string,
  { language, words }: PayerLanguage,
): string =>
  [
    words.asksToPay(name),
    [
      `${words.description}: ${title}`,
      `${words.amount}: ${amount === null ? words.anyAmount : formatNaira(amount)}`,
      ...(expiresAt === null ? [] : [`${words.until}: ${displayMoment(expiresAt, language)}`]),
    ].join('\n'),
    ...(description === null ? [] : [description]),
    `${words.linkGo}: ${url}`,
    words.unknownMerchant(name),
  ].join('\n\n')

export interface LinkPayer {
  readonly name: string
  readonly email: string
  readonly amount: Kobo
}

/**
 * Opens the transaction for a payer. A single-use link has one open transaction at a time: a new one replaces an unpaid
 * one, so that no payer continues someone else's. Returns undefined if the link takes no payment now.
 */
export const openThroughLink = (
  core: Core,
  merchant: Merchant,
  { merchantId, id }: PaymentLinkRow,
  payer: LinkPayer,
): Promise<Transaction | undefined> =>
  unitOfWork(core, async (unit) => {
    const locked = await lockLink(unit.tx, merchantId, id)
    invariant(locked !== undefined, 'links are never deleted')
    const link = await withTransaction(unit.tx, locked)
    if (linkStatus(link, unit.at) !== 'ACTIVE') return undefined
    const isOnce = link.usage === 'ONCE'
    if (isOnce && !(await replaceUnpaid(unit, link))) return undefined
    const transaction = draftTransaction(unit, merchant, {
      amount: link.amount ?? payer.amount,
      paymentReference: null,
      contractCode: link.contractCode,
      currencyCode: CURRENCY,
      customerName: payer.name,
      customerEmail: payer.email,
      paymentDescription: link.title,
      redirectUrl: link.redirectUrl,
      paymentMethods: link.paymentMethods,
      incomeSplitConfig: [],
      metaData: { paymentLink: link.reference },
    })
    invariant(await openTransaction(unit, transaction), 'a generated reference is new')
    insertLinkTransaction(unit.tx, { merchantId, linkId: id, transactionId: transaction.id })
    if (isOnce) updateLink(unit.tx, { ...link, transactionId: transaction.id })
    return transaction
  })

/** Cancels a single-use link's unpaid transaction. Returns false if a payer has paid it or is paying it in parts. */
async function replaceUnpaid(unit: UnitOfWork, { merchantId, transactionId: id }: PaymentLinkRow): Promise<boolean> {
  if (id === null) return true
  const [last] = await transactionReads.lock(unit.tx, [{ merchantId, id }])
  if (last === undefined) return true
  if (transactionRules.checkOpen(last, unit.at) !== undefined) return last.amountPaid === ZERO
  return cancelTransaction(unit, last) !== undefined
}

const CURRENCY = 'NGN'
