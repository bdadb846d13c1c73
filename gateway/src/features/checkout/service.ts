import type { Core } from '../../core/core.ts'
import type { Merchant } from '../../core/merchants/index.ts'
import { type Bank, findBank } from '../../core/money/bank-list/index.ts'
import { accountsOf, type VirtualAccount } from '../../core/money/virtual-accounts/index.ts'
import { unitOfWork } from '../../core/unit-of-work.ts'
import { subtract } from '../../kernel/money.ts'
import type { Environment } from '../../platform/config.ts'
import type { Db } from '../../platform/db.ts'
import { httpErrors } from '../../platform/http.ts'
import type { Counter } from '../../platform/rate-limit.ts'
import { type BankTransferLane, bankTransferErrors, ussdText } from '../bank-transfer/index.ts'
import type { Cards } from '../cards/index.ts'
import {
  checkOpen,
  draftTransaction,
  findOwner,
  findTransaction,
  type NewTransaction,
  openTransaction,
  type TransactionRow,
  transactionErrors,
} from '../transactions/index.ts'
import { checkoutErrors } from './errors.ts'
import { findFrame, insertFrame } from './repository.ts'
import type { OpenedCheckout } from './show.ts'

/** Owners of references that were asked for lately: a page asks many times for the same one. */
const OWNERS_KEPT_MAX = 20_000
/** Unknown references that one address may ask for in a minute. Nobody mistypes a link so often; who tries them out does. */
export const GUESSES_PER_MINUTE_MAX = 30

/** Finds what a payer's link leads to. */
export type FindCheckout = (transactionReference: string, address: string) => Promise<OpenedCheckout>

/** A reference is all that a payer's page shows of itself, so whoever tries out references is held up. */
export function checkoutFinder({ db, directory }: Core, cards: Cards, guesses: Counter): FindCheckout {
  const owners = new Map<string, bigint>()

  async function ownerOf(transactionReference: string, address: string): Promise<bigint> {
    const known = owners.get(transactionReference)
    if (known !== undefined) return known
    const waitSeconds = guesses.usedUp(address)
    if (waitSeconds !== undefined) throw httpErrors.tooManyRequests(waitSeconds)
    const owner = await findOwner(db, transactionReference)
    if (owner === undefined) {
      guesses.count(address)
      throw checkoutErrors.notFound()
    }
    if (owners.size >= OWNERS_KEPT_MAX) owners.clear()
    owners.set(transactionReference, owner)
    return owner
  }

  return async (transactionReference, address) => {
    const merchantId = await ownerOf(transactionReference, address)
    const [merchant, transaction] = await Promise.all([
      directory.byId(merchantId),
      findTransaction(db, merchantId, { transactionReference }),
    ])
    if (merchant === undefined || transaction === undefined) throw checkoutErrors.notFound()
    const [account, cardInProgress] = await Promise.all([
      accountOf(db, transaction),
      transaction.completedAt === null && transaction.paymentMethods.includes('CARD') && cards.isUnderWay(transaction),
    ])
    return { merchant, transaction, account, cardInProgress }
  }
}

/** The account to pay into: an invoice may have its customer's reserved one, all else has one of its own. */
async function accountOf(
  db: Db,
  { merchantId, id, reservedAccountId }: TransactionRow,
): Promise<VirtualAccount | undefined> {
  const [account] =
    reservedAccountId === null
      ? await accountsOf(db, 'transaction', [{ merchantId, ownerId: id }])
      : await accountsOf(db, 'reserved-account', [{ merchantId, ownerId: reservedAccountId }])
  return account
}

/** The payer chose to pay by transfer or by dialling: opens the account to pay into, where there is none yet. */
export async function chooseTransfer(
  { assign, clock }: Pick<Core, 'clock'> & { readonly assign: BankTransferLane },
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

/** By whichever of the two methods the transaction takes: an account is dialled to as it is transferred to. */
export const dialledBy = ({ transaction }: OpenedCheckout): 'USSD' | 'ACCOUNT_TRANSFER' =>
  transaction.paymentMethods.includes('USSD') ? 'USSD' : 'ACCOUNT_TRANSFER'

/** The bank of a code; refuses an unknown one. */
export function knownBank(bankCode: string): Bank {
  const bank = findBank(bankCode)
  if (bank === undefined) throw bankTransferErrors.unknownBank(bankCode)
  return bank
}

/** What a customer of a bank dials to pay what is missing; null where the bank has no such text, or there is no account yet. */
export function dialText({ transaction, account }: OpenedCheckout, bank: Bank): string | null {
  if (account === undefined || transaction.amountPaid >= transaction.payable) return null
  return ussdText(bank, account.accountNumber, subtract(transaction.payable, transaction.amountPaid))
}

/** What the inline script sends beside the terms of the payment. */
export interface InlineWish {
  readonly apiKey: string
  /** The site on whose page it runs, as its browser tells; undefined where no browser asks. */
  readonly origin: string | undefined
  readonly wanted: NewTransaction
}

/** Opens a transaction for a script on a merchant's page. */
export async function openInline(
  core: Core,
  environment: Environment,
  { apiKey, origin, wanted }: InlineWish,
): Promise<{ readonly merchant: Merchant; readonly transaction: TransactionRow }> {
  const frame = checkOrigin(origin, environment)
  const merchant = await core.directory.byApiKey(apiKey)
  if (merchant === undefined) throw checkoutErrors.unknownMerchant()
  const transaction = draftTransaction({ ids: core.ids, at: core.clock.now() }, merchant, wanted)
  await unitOfWork(core, async (unit) => {
    if (!(await openTransaction(unit, transaction))) throw transactionErrors.duplicateReference()
    if (frame === undefined) return
    insertFrame(unit.tx, { merchantId: merchant.id, transactionId: transaction.id, origin: frame })
  })
  return { merchant, transaction }
}

const ORIGIN = /^https?:\/\/[a-z0-9.:[\]-]{1,255}$/i

function checkOrigin(origin: string | undefined, environment: Environment): string | undefined {
  if (origin === undefined) return undefined
  if (!ORIGIN.test(origin)) throw checkoutErrors.noOrigin()
  if (environment === 'live' && !origin.startsWith('https:')) throw checkoutErrors.insecureOrigin()
  return origin
}

/** The site that may show this checkout in a frame, if any. */
export const framedBy = (db: Db, { transaction }: OpenedCheckout): Promise<string | undefined> =>
  findFrame(db, transaction.merchantId, transaction.id)
