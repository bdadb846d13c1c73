import type { Core } from '../../core/core.ts'
import { type Bank, findOfferedBank } from '../../core/money/bank-list/index.ts'
import { accountsOf, type VirtualAccount } from '../../core/money/virtual-accounts/index.ts'
import type { Refusal } from '../../kernel/errors.ts'
import { subtract } from '../../kernel/money.ts'
import type { Environment } from '../../platform/config.ts'
import type { Db } from '../../platform/db.ts'
import { httpErrors } from '../../platform/http.ts'
import type { Counter } from '../../platform/rate-limit.ts'
import { type AssignAccount, bankTransferErrors, ussdText } from '../bank-transfer/index.ts'
import { type Cards, cardErrors } from '../cards/index.ts'
import { selectOfOwners } from '../returns/index.ts'
import {
  type CheckoutLinks,
  checkOpen,
  findOwner,
  type ReferenceKey,
  readTransactionsByReference,
  selectPayments,
  type TransactionRow,
} from '../transactions/index.ts'
import { checkoutErrors } from './errors.ts'
import { mayFrame } from './inline.ts'
import { findFrame } from './repository.ts'
import { isPaused, type OpenedCheckout, offersCards } from './show.ts'

/** Owners of references that were asked for lately: a page asks many times for the same one. */
const OWNERS_KEPT_MAX = 20_000
/** Links of nobody that one address may try in a minute. Nobody mistypes a link so often; who tries them out does. */
export const GUESSES_PER_MINUTE_MAX = 30

/** Finds what a payer's link leads to, by what names the checkout in it. */
export type FindCheckout = (checkoutReference: string, address: string) => Promise<OpenedCheckout>

interface FinderDeps {
  readonly core: Core
  readonly readPayment: ReadPayment
  readonly links: CheckoutLinks
  readonly guesses: Counter
}

/**
 * Whoever has the link sees the payment, and nobody else: a link without its key leads nowhere, whether or not there is
 * such a payment. It is counted and refused before the database hears of it, so that guesses cost nothing; who has a link
 * is never held up by somebody who guesses behind the same address.
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
    const owner = await findOwner(db, transactionReference)
    if (owner === undefined) throw checkoutErrors.notFound()
    if (owners.size >= OWNERS_KEPT_MAX) owners.clear()
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

/** The same for a payer who wants to pay: refused while the merchant takes no payments. */
export const payableFinder =
  (find: FindCheckout): FindCheckout =>
  async (checkoutReference, address) => {
    const checkout = await find(checkoutReference, address)
    if (isPaused(checkout.merchant)) throw checkoutErrors.paused()
    return checkout
  }

/** Reads a payment for its payer's page. Pages ask again and again: through a lane. */
export type ReadPayment = (key: ReferenceKey) => Promise<Omit<OpenedCheckout, 'merchant'> | undefined>

/** Reads payments for their payers' pages, a set with a few statements. */
export async function readPayments(
  { core: { db }, cards }: { readonly core: Core; readonly cards: Cards },
  asked: readonly ReferenceKey[],
): Promise<readonly (Omit<OpenedCheckout, 'merchant'> | undefined)[]> {
  // A payer may have the page open twice.
  const keys = [...new Map(asked.map((key) => [key.transactionReference, key])).values()]
  const transactions = await readTransactionsByReference(db, keys)
  const [accounts, returns, tried, payments] = await Promise.all([
    accountsToPayInto(db, transactions),
    selectOfOwners(db, 'transaction', transactions),
    cards.onPage(
      transactions.filter(({ completedAt, paymentMethods }) => completedAt === null && paymentMethods.includes('CARD')),
    ),
    selectPayments(
      db,
      transactions.filter(({ amountPaid }) => amountPaid > 0n),
    ),
  ])
  const found = new Map(transactions.map((transaction) => [transaction.transactionReference, transaction]))
  const newest = new Map(payments.map((payment) => [payment.transactionId, payment]))
  const returnsOf = Map.groupBy(returns, ({ ownerId }) => ownerId)
  return asked.map(({ transactionReference }) => {
    const transaction = found.get(transactionReference)
    if (transaction === undefined) return undefined
    const account = accounts.get(transaction.reservedAccountId ?? transaction.id)
    return {
      transaction,
      account,
      returns: returnsOf.get(transaction.id) ?? [],
      card: tried.get(transaction.id),
      payment: newest.get(transaction.id),
    }
  })
}

/** The accounts to pay into, by their owners: an invoice may have its customer's reserved one, all else has one of its own. */
async function accountsToPayInto(
  db: Db,
  transactions: readonly TransactionRow[],
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
  // The first of an owner's counts, so it is put in last.
  return new Map(
    found
      .flat()
      .reverse()
      .map((account) => [account.ownerId, account]),
  )
}

/** The payer chose to pay by transfer or by dialling: opens the account to pay into, where there is none yet. */
export async function chooseTransfer(
  { assign, clock }: Pick<Core, 'clock'> & { readonly assign: AssignAccount },
  checkout: OpenedCheckout,
  method: 'ACCOUNT_TRANSFER' | 'USSD',
  bank?: Bank,
): Promise<OpenedCheckout> {
  const { merchant, transaction: known } = checkout
  if (known.reservedAccountId !== null) {
    const closed = checkOpen(known, clock.now())
    if (closed !== undefined) throw closed
    if (!known.paymentMethods.includes(method)) throw bankTransferErrors.methodNotEnabled(method)
    return checkout
  }
  const { transactionReference } = known
  const { transaction, account } = await assign({ merchant, transactionReference, method, by: 'payer', bank })
  return { ...checkout, transaction, account }
}

/** Why no card is charged on the page for a merchant that may not offer it there. */
export const checkCardsOffered = ({ merchant }: OpenedCheckout): Refusal | undefined =>
  offersCards(merchant) ? undefined : cardErrors.notEnabled()

/** By whichever of the two methods the transaction takes: an account is dialled to as it is transferred to. */
export const dialledBy = ({ transaction }: OpenedCheckout): 'USSD' | 'ACCOUNT_TRANSFER' =>
  transaction.paymentMethods.includes('USSD') ? 'USSD' : 'ACCOUNT_TRANSFER'

/** The bank of a code; refuses one that is unknown or no longer offered. */
export function knownBank(bankCode: string): Bank {
  const bank = findOfferedBank(bankCode)
  if (bank === undefined) throw bankTransferErrors.unknownBank(bankCode)
  return bank
}

/** What a customer of a bank dials to pay what is missing; null where the bank has no such text, or there is no account yet. */
export function dialText({ merchant, transaction, account }: OpenedCheckout, bank: Bank): string | null {
  if (account === undefined || isPaused(merchant) || transaction.amountPaid >= transaction.payable) return null
  return ussdText(bank, account.accountNumber, subtract(transaction.payable, transaction.amountPaid))
}

/** The site that may show this checkout in a frame, if any: the one that opened it, while the merchant has it registered. */
export async function framedBy(
  db: Db,
  { merchant, transaction }: OpenedCheckout,
  environment: Environment,
): Promise<string | undefined> {
  const origin = await findFrame(db, transaction.merchantId, transaction.id)
  return origin !== undefined && mayFrame(merchant, origin, environment) ? origin : undefined
}
