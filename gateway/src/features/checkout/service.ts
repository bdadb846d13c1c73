import { accountsOf, type VirtualAccount } from '../../core/account-numbers/index.ts'
import { type Bank, findOfferedBank } from '../../core/bank-list/index.ts'
import type { Core } from '../../core/core.ts'
import type { Refusal } from '../../kernel/errors.ts'
import { subtract } from '../../kernel/money.ts'
import type { Environment } from '../../platform/config/config.ts'
import type { Counter } from '../../platform/http/rate-limit.ts'
import { httpErrors } from '../../platform/http/server.ts'
import type { Db } from '../../platform/postgres/db.ts'
import { type AssignAccount, bankTransferErrors, ussdText } from '../bank-transfer/index.ts'
import { type Cards, cardErrors } from '../cards/index.ts'
import { selectItems } from '../invoices/index.ts'
import { selectOfOwners } from '../returns/index.ts'
import { type CheckoutLinks, type Transaction, transactionReads, transactionRules } from '../transactions/index.ts'
import { checkoutErrors } from './errors.ts'
import { isApp, mayFrame } from './inline.ts'
import { findFrame } from './repository.ts'
import { isPaused, type OpenedCheckout, offersCards } from './show.ts'

/** How many recent references are cached with their merchants: a page queries the same one many times. */
const OWNERS_CACHED_MAX = 20_000
/** Unknown links per minute and IP address: no payer mistypes a link so often, an attacker does. */
export const UNKNOWN_LINKS_PER_MINUTE_MAX = 30

/** Finds the checkout of a payer's link by the reference in its URL. */
export type FindCheckout = (checkoutReference: string, address: string) => Promise<OpenedCheckout>

interface FinderDeps {
  readonly core: Core
  readonly readPayment: ReadPayment
  readonly links: CheckoutLinks
  readonly guesses: Counter
}

/**
 * Only the link opens the payment: a link without its key finds nothing, whether or not the payment exists. Such a link
 * is counted and rejected before any query, so that guessing costs us nothing. A valid link works even if someone at
 * the same address guesses.
 */
export function checkoutFinder({ core: { db, directory }, readPayment, links, guesses }: FinderDeps): FindCheckout {
  const owners = new Map<string, bigint>()

  function readLink(checkoutReference: string, address: string): string {
    const transactionReference = links.read(checkoutReference)
    if (transactionReference !== undefined) return transactionReference
    const waitSeconds = guesses.usedUp(address)
    if (waitSeconds !== undefined) throw httpErrors.tooManyRequests(waitSeconds)
    guesses.count(address)
    throw checkoutErrors.notFound()
  }

  async function ownerOf(transactionReference: string): Promise<bigint> {
    const known = owners.get(transactionReference)
    if (known !== undefined) return known
    const owner = await transactionReads.merchantOf(db, transactionReference)
    if (owner === undefined) throw checkoutErrors.notFound()
    if (owners.size >= OWNERS_CACHED_MAX) owners.clear()
    owners.set(transactionReference, owner)
    return owner
  }

  return async (checkoutReference, address) => {
    const transactionReference = readLink(checkoutReference, address)
    const merchantId = await ownerOf(transactionReference)
    const [merchant, payment] = await Promise.all([
      directory.byId(merchantId),
      readPayment({ merchantId, transactionReference }),
    ])
    if (merchant === undefined || payment === undefined) throw checkoutErrors.notFound()
    return { merchant, ...payment }
  }
}

/** Finds the checkout for a payer who wants to pay. Throws while the merchant takes no payments. */
export const payableFinder =
  (find: FindCheckout): FindCheckout =>
  async (checkoutReference, address) => {
    const checkout = await find(checkoutReference, address)
    if (isPaused(checkout.merchant)) throw checkoutErrors.paused()
    return checkout
  }

/** Reads a payment for its checkout page, through a lane, because pages poll. */
export type ReadPayment = (
  key: Pick<Transaction, 'merchantId' | 'transactionReference'>,
) => Promise<Omit<OpenedCheckout, 'merchant'> | undefined>

/** Reads a batch of payments for their checkout pages, with a few queries. */
export async function readPayments(
  { core: { db }, cards }: { readonly core: Core; readonly cards: Cards },
  requests: readonly Pick<Transaction, 'merchantId' | 'transactionReference'>[],
): Promise<readonly (Omit<OpenedCheckout, 'merchant'> | undefined)[]> {
  // A payer may have the page open twice.
  const keys = [...new Map(requests.map((key) => [key.transactionReference, key])).values()]
  const transactions = await transactionReads.byReferences(db, keys)
  const [accounts, returns, tried, payments, items] = await Promise.all([
    accountsToPayInto(db, transactions),
    selectOfOwners(db, 'transaction', transactions),
    cards.onPage(
      transactions.filter(({ completedAt, paymentMethods }) => completedAt === null && paymentMethods.includes('CARD')),
    ),
    transactionReads.payments(
      db,
      transactions.filter(({ amountPaid }) => amountPaid > 0n),
    ),
    selectItems(
      db,
      transactions.filter(({ invoiceReference }) => invoiceReference !== null),
    ),
  ])
  const found = new Map(transactions.map((transaction) => [transaction.transactionReference, transaction]))
  const newest = new Map(payments.map((payment) => [payment.transactionId, payment]))
  const returnsOf = Map.groupBy(returns, ({ ownerId }) => ownerId)
  return requests.map(({ transactionReference }) => {
    const transaction = found.get(transactionReference)
    if (transaction === undefined) return undefined
    const account = accounts.get(transaction.reservedAccountId ?? transaction.id)
    return {
      transaction,
      account,
      returns: returnsOf.get(transaction.id) ?? [],
      card: tried.get(transaction.id),
      payment: newest.get(transaction.id),
      items: items.get(transaction.id) ?? [],
    }
  })
}

/** Finds the accounts to pay into, by owner: a transaction's own or, for some invoices, a reserved account. */
async function accountsToPayInto(
  db: Db,
  transactions: readonly Transaction[],
): Promise<ReadonlyMap<bigint, VirtualAccount>> {
  const own: { merchantId: bigint; ownerId: bigint }[] = []
  const reserved: { merchantId: bigint; ownerId: bigint }[] = []
  for (const { merchantId, id, reservedAccountId } of transactions)
    if (reservedAccountId === null) own.push({ merchantId, ownerId: id })
    else reserved.push({ merchantId, ownerId: reservedAccountId })
  const found = await Promise.all([
    own.length === 0 ? [] : accountsOf(db, 'transaction', own),
    reserved.length === 0 ? [] : accountsOf(db, 'reserved-account', reserved),
  ])
  // An owner's first account wins, so it is inserted last.
  return new Map(
    found
      .flat()
      .reverse()
      .map((account) => [account.ownerId, account]),
  )
}

/** Opens the account to pay into, if there is none yet, for a payer who chose transfer or USSD. */
export async function chooseTransfer(
  { assign, clock }: Pick<Core, 'clock'> & { readonly assign: AssignAccount },
  checkout: OpenedCheckout,
  method: 'ACCOUNT_TRANSFER' | 'USSD',
  bank?: Bank,
): Promise<OpenedCheckout> {
  const { merchant, transaction: known } = checkout
  if (known.reservedAccountId !== null) {
    const closed = transactionRules.checkOpen(known, clock.now())
    if (closed !== undefined) throw closed
    if (!known.paymentMethods.includes(method)) throw bankTransferErrors.methodNotEnabled(method)
    return checkout
  }
  const { transactionReference } = known
  const { transaction, account } = await assign({ merchant, transactionReference, method, by: 'payer', bank })
  return { ...checkout, transaction, account }
}

/** Returns the error if the merchant may not take cards on the page. */
export const checkCardsOffered = ({ merchant }: Pick<OpenedCheckout, 'merchant'>): Refusal | undefined =>
  offersCards(merchant) ? undefined : cardErrors.notEnabled()

/**
 * Returns the payment method to record for a payer who chose USSD. If the transaction does not allow USSD, it is a
 * transfer, because both pay into the same account.
 */
export const ussdMethodOf = ({ transaction }: OpenedCheckout): 'USSD' | 'ACCOUNT_TRANSFER' =>
  transaction.paymentMethods.includes('USSD') ? 'USSD' : 'ACCOUNT_TRANSFER'

/** Returns the bank with a code; throws if it is unknown or no longer offered. */
export function knownBank(bankCode: string): Bank {
  const bank = findOfferedBank(bankCode)
  if (bank === undefined) throw bankTransferErrors.unknownBank(bankCode)
  return bank
}

/** Returns the USSD text for the rest of the amount due; null if the bank has none, or if nothing can be paid now. */
export function dialText({ merchant, transaction, account }: OpenedCheckout, bank: Bank): string | null {
  if (account === undefined || isPaused(merchant) || transaction.amountPaid >= transaction.payable) return null
  return ussdText(bank, account.accountNumber, subtract(transaction.payable, transaction.amountPaid))
}

/**
 * Returns the site that may show this checkout in a frame: the site that opened it, as long as the merchant allows it.
 */
export async function framedBy(
  db: Db,
  { merchant, transaction }: OpenedCheckout,
  environment: Environment,
): Promise<string | undefined> {
  const origin = await findFrame(db, transaction.merchantId, transaction.id)
  return origin !== undefined && !isApp(origin) && mayFrame(merchant, origin, environment) ? origin : undefined
}
