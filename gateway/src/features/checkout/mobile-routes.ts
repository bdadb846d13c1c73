import type { Input, Reply } from '@kobo/contract'
import * as contract from '@kobo/contract'
import { mobileRefusals } from '@kobo/contract'
import { findOfferedBank, findUssdBank } from '../../core/bank-list/index.ts'
import type { Core } from '../../core/core.ts'
import type { Serve } from '../../core/edge/http/index.ts'
import { logoPath, type Merchant } from '../../core/merchants/index.ts'
import { zoned } from '../../kernel/dates.ts'
import { refusal } from '../../kernel/errors.ts'
import { hidden } from '../../kernel/hidden.ts'
import { naira, subtract, toNaira } from '../../kernel/money.ts'
import type { Environment } from '../../platform/config/config.ts'
import type { Counter } from '../../platform/http/rate-limit.ts'
import { rejectIfLimited } from '../../platform/http/server.ts'
import { type AssignAccount, bankTransferErrors, showPaymentAccount, ussdText } from '../bank-transfer/index.ts'
import { type Cards, cardErrors, needsPin, onCharge, readCard, showAuthorization, showCharge } from '../cards/index.ts'
import { type Transaction, transactionReads } from '../transactions/index.ts'
import { checkoutErrors } from './errors.ts'
import { isApp, openInline } from './inline.ts'
import { findFrame } from './repository.ts'
import { checkCardsOffered, UNKNOWN_LINKS_PER_MINUTE_MAX } from './service.ts'
import { isPaused } from './show.ts'

/** Payments that apps may open per minute and IP address: mobile networks share addresses among many payers. */
const OPENED_PER_MINUTE_MAX = 300
/** Charges and codes per minute and IP address: card testing needs more. */
const CHARGED_PER_MINUTE_MAX = 60
/** The origin of an unregistered app. Only a sandbox takes such apps. */
const UNNAMED_APP = 'app:unnamed'

interface Deps {
  readonly core: Core
  readonly environment: Environment
  readonly cards: Cards
  readonly assign: AssignAccount
  readonly openCounter: (perMinute: number) => Counter
  readonly publicUrl: () => string
}

interface AppPayment {
  readonly merchant: Merchant
  readonly transaction: Transaction
}

/** Finds a payment that an app opened. Payments opened by pages and servers cannot be reached with the public key. */
type FindPayment = (
  key: { readonly apiKey: string; readonly transactionReference: string },
  address: string,
) => Promise<AppPayment>

/** Serves the published mobile SDKs of Monnify. */
export function mobileRoutes(serve: Serve, deps: Deps): void {
  const { core, environment, openCounter } = deps
  const opened = openCounter(OPENED_PER_MINUTE_MAX)
  const find = paymentFinder(core, openCounter(UNKNOWN_LINKS_PER_MINUTE_MAX))

  serve(contract.sdkInit, async ({ body }, { address, origin }) => {
    limit(opened, address)
    const known = await core.directory.byApiKey(body.apiKey)
    const registered = known?.inlineOrigins.find(isApp)?.split(' ')[0]
    const app = origin !== undefined && isApp(origin) ? origin : (registered ?? UNNAMED_APP)
    const request = { apiKey: body.apiKey, origin: app, transaction: readInit(body), signature: null }
    const { merchant, transaction } = await openInline(core, environment, request)
    return {
      transactionReference: transaction.transactionReference,
      paymentReference: transaction.paymentReference,
      merchantName: merchant.name,
      merchantLogoUrl: logoPath(merchant) === null ? null : deps.publicUrl() + logoPath(merchant),
      enabledPaymentMethod: [...transaction.paymentMethods],
    }
  })

  serve(contract.sdkQuery, async ({ params, query }, { address }) =>
    showPayment(await find({ ...params, ...query }, address)),
  )

  serve(contract.sdkListBanks, async () => [])
  serve(contract.sdkOtherMethod, async () => {
    throw refusal(mobileRefusals.methodNotOffered)()
  })
  transferRoutes(serve, deps, payable(find))
  cardRoutes(serve, deps, payable(find))
}

function transferRoutes(serve: Serve, { assign }: Deps, find: FindPayment): void {
  serve(contract.sdkTransfer, async ({ body }, { address }) => {
    const { merchant } = await find(body, address)
    const bank = body.bankCode ? findOfferedBank(body.bankCode) : undefined
    if (body.bankCode && bank === undefined) throw bankTransferErrors.unknownBank(body.bankCode)
    const { transactionReference } = body
    const account = await assign({ merchant, transactionReference, method: 'ACCOUNT_TRANSFER', by: 'payer', bank })
    return showPaymentAccount(account, bank)
  })

  serve(contract.sdkUssd, async ({ body }, { address }) => {
    const { merchant } = await find(body, address)
    const bank = findUssdBank(body.bankUssdCode)
    if (bank === undefined) throw bankTransferErrors.unknownBank(body.bankUssdCode)
    const { transactionReference } = body
    const found = await assign({ merchant, transactionReference, method: 'USSD', by: 'payer', bank })
    return {
      ussdCode: ussdText(bank, found.account.accountNumber, found.transaction.payable),
      paymentCode: found.account.accountNumber,
      providerReference: transactionReference,
      transactionReference,
      paymentReference: found.transaction.paymentReference,
      authorizedAmount: toNaira(found.transaction.payable),
    }
  })
}

function cardRoutes(serve: Serve, { cards, openCounter, publicUrl }: Deps, find: FindPayment): void {
  const charged = openCounter(CHARGED_PER_MINUTE_MAX)

  serve(contract.sdkInitCard, async ({ body }, { address }) => {
    const { merchant, transaction } = await find(body, address)
    const error = checkCardsOffered({ merchant })
    if (error !== undefined) throw error
    return {
      totalAmountPayable: toNaira(transaction.payable),
      amount: toNaira(transaction.amount),
      paymentFee: toNaira(subtract(transaction.payable, transaction.amount)),
    }
  })

  serve(contract.sdkCardRequirements, async ({ body }) => ({ requirePin: needsPin(body.pan) }))

  serve(contract.sdkCharge, async ({ body }, { address }) => {
    limit(charged, address)
    const { merchant } = await find(body, address)
    const error = checkCardsOffered({ merchant })
    if (error !== undefined) throw onCharge(error)
    const charge = await cards.charge(merchant, {
      transactionReference: body.transactionReference,
      card: readCard(body.card),
      channel: 'WEB_SDK',
      consent: 'none',
      payerAddress: address,
    })
    return { ...showCharge(charge, publicUrl()), cardToken: null }
  })

  serve(contract.sdkOtp, async ({ body }, { address }) => {
    limit(charged, address)
    const { merchant } = await find(body, address)
    const { transactionReference, tokenId } = body
    const given = { transactionReference, tokenId, otp: hidden(body.token), payerAddress: address }
    return showAuthorization(await cards.authorizeOtp(merchant, given), publicUrl())
  })

  // Servers call this route with a token, and apps without one.
  serve(contract.authorizeSecure3d, async ({ body }, { merchant: server, address }) => {
    const { apiKey, transactionReference } = body
    const caller = server as Merchant | undefined
    if (caller !== undefined && apiKey !== caller.apiKey) throw cardErrors.anotherApiKey()
    const merchant = caller ?? (await find({ apiKey, transactionReference }, address)).merchant
    const card = body.card == null ? null : readCard(body.card)
    return showAuthorization(await cards.authorizeSecure3d(merchant, { transactionReference, card }), publicUrl())
  })
}

function paymentFinder({ db, directory }: Core, guesses: Counter): FindPayment {
  return async ({ apiKey, transactionReference }, address) => {
    const merchant = await directory.byApiKey(apiKey)
    const transaction = merchant && (await transactionReads.find(db, merchant.id, { transactionReference }))
    const origin = transaction && (await findFrame(db, transaction.merchantId, transaction.id))
    if (merchant !== undefined && transaction !== undefined && origin !== undefined && isApp(origin))
      return { merchant, transaction }
    limit(guesses, address)
    throw checkoutErrors.notFound()
  }
}

const payable =
  (find: FindPayment): FindPayment =>
  async (key, address) => {
    const found = await find(key, address)
    if (isPaused(found.merchant)) throw checkoutErrors.paused()
    return found
  }

function limit(counter: Counter, address: string): void {
  rejectIfLimited(counter.usedUp(address))
  counter.count(address)
}

const showPayment = ({ merchant, transaction }: AppPayment): Reply<typeof contract.sdkQuery> => ({
  paymentMethod: transaction.paymentMethod,
  createdOn: zoned(transaction.createdAt),
  amount: toNaira(transaction.amount),
  fee: toNaira(subtract(transaction.payable, transaction.amount)),
  currencyCode: transaction.currencyCode,
  completedOn: transaction.completedAt === null ? null : zoned(transaction.completedAt),
  customerName: '',
  customerEmail: '',
  paymentDescription: transaction.paymentDescription,
  paymentStatus: transaction.status,
  transactionReference: transaction.transactionReference,
  paymentReference: transaction.paymentReference,
  payableAmount: toNaira(transaction.payable),
  amountPaid: toNaira(transaction.amountPaid),
  completed: transaction.completedAt !== null,
  flagged: false,
  providerCode: null,
  merchantCode: merchant.code,
})

const readInit = (body: Input<typeof contract.sdkInit>['body']) => ({
  amount: naira(body.amount),
  paymentReference: body.paymentReference,
  contractCode: body.contractCode,
  currencyCode: body.currencyCode,
  customerName: body.customerName ?? null,
  customerEmail: body.customerEmail,
  paymentDescription: body.paymentDescription ?? null,
  redirectUrl: null,
  paymentMethods: [...new Set(body.paymentMethods ?? [])],
  incomeSplitConfig: body.incomeSplitConfig ?? [],
  metaData: body.metaData ?? body.metadata ?? {},
})
