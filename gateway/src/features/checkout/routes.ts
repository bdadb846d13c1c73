import type { Input, Reply } from '@kobo/contract'
import * as contract from '@kobo/contract'
import type { Core } from '../../core/core.ts'
import type { Serve } from '../../core/edge/http/index.ts'
import { type Pages, textsIn } from '../../core/edge/pages/index.ts'
import { notify } from '../../core/messages/notices.ts'
import type { ReceiptKeys } from '../../core/security/receipt-keys.ts'
import { unitOfWork } from '../../core/unit-of-work.ts'
import { hidden } from '../../kernel/hidden.ts'
import { naira } from '../../kernel/money.ts'
import type { Environment } from '../../platform/config/config.ts'
import type { Counter } from '../../platform/http/rate-limit.ts'
import { httpErrors } from '../../platform/http/server.ts'
import type { AssignAccount } from '../bank-transfer/index.ts'
import { type Cards, type Charge, onCharge, readCard, showCharge } from '../cards/index.ts'
import { type ProofDeps, receiptProver } from '../receipts/index.ts'
import type { CheckoutLinks } from '../transactions/index.ts'
import { receiptMail } from './documents.ts'
import { checkoutErrors } from './errors.ts'
import { type InlineRequest, openInline } from './inline.ts'
import { mobileRoutes } from './mobile-routes.ts'
import { type Checkouts, checkoutPageRoutes } from './page-routes.ts'
import {
  checkCardsOffered,
  checkoutFinder,
  chooseTransfer,
  dialText,
  knownBank,
  payableFinder,
  type ReadPayment,
  UNKNOWN_LINKS_PER_MINUTE_MAX,
  ussdMethodOf,
} from './service.ts'
import { type OpenedCheckout, showCheckout } from './show.ts'

/** Transactions that pages may open per minute and IP address, which many payers may share. */
const OPENED_PER_MINUTE_MAX = 120
/** Mails of one receipt per minute: enough for a double click, too few to flood an inbox. */
const RECEIPTS_PER_MINUTE_MAX = 2
/** Charges and codes per minute and IP address: card testing needs more. */
const CHARGED_PER_MINUTE_MAX = 60

interface Deps {
  readonly core: Core
  readonly environment: Environment
  readonly cards: Cards
  /** Opens accounts for payers to pay into. */
  readonly assign: AssignAccount
  readonly readPayment: ReadPayment
  readonly openCounter: (perMinute: number) => Counter
  readonly links: CheckoutLinks
  readonly publicUrl: () => string
  readonly receiptKeys: ReceiptKeys
}

export function checkoutRoutes(serve: Serve, pages: Pages, deps: Deps): void {
  const { core, environment, readPayment, assign, openCounter, links } = deps
  const find = checkoutFinder({ core, readPayment, links, guesses: openCounter(UNKNOWN_LINKS_PER_MINUTE_MAX) })
  const receiptProof = checkoutProver(deps)
  const checkouts: Checkouts = {
    find,
    findPayable: payableFinder(find),
    show: (checkout) => {
      const shown = showCheckout(checkout, core.clock.now())
      return { ...shown, receiptProof: shown.completed ? receiptProof(checkout) : null }
    },
    transfer: (checkout, method, bank) => chooseTransfer({ assign, clock: core.clock }, checkout, method, bank),
    links,
  }
  transferRoutes(serve, checkouts)
  cardRoutes(serve, checkouts, deps)
  inlineRoute(serve, checkouts, deps)
  mobileRoutes(serve, deps)
  receiptRoute(serve, checkouts, deps)
  checkoutPageRoutes(pages, checkouts, core, environment)
}

function transferRoutes(serve: Serve, { find, findPayable, show, transfer }: Checkouts): void {
  serve(contract.getCheckout, async ({ params }, { address }) => show(await find(params.checkoutReference, address)))

  serve(contract.checkoutTransfer, async ({ params }, { address }) =>
    show(await transfer(await findPayable(params.checkoutReference, address), 'ACCOUNT_TRANSFER')),
  )

  serve(contract.checkoutUssd, async ({ params, body }, { address }) => {
    const bank = knownBank(body.bankCode)
    const found = await findPayable(params.checkoutReference, address)
    const checkout = await transfer(found, ussdMethodOf(found), bank)
    return { checkout: show(checkout), ussdPayment: dialText(checkout, bank) }
  })
}

function cardRoutes(
  serve: Serve,
  { find, findPayable, show, links }: Checkouts,
  { cards, openCounter, publicUrl }: Deps,
): void {
  const charged = openCounter(CHARGED_PER_MINUTE_MAX)

  serve(contract.checkoutCard, async ({ params, body }, { address }) => {
    limit(charged, address)
    const checkout = await findPayable(params.checkoutReference, address)
    const error = checkCardsOffered(checkout)
    if (error !== undefined) throw onCharge(error)
    const { merchant, transaction } = checkout
    const charge = await cards.charge(merchant, {
      transactionReference: transaction.transactionReference,
      card: readCard(body.card),
      channel: 'WEB_SDK',
      consent: body.saveCard ?? 'none',
      payerAddress: address,
    })
    return showCharged(charge, address)
  })

  serve(contract.checkoutOtp, async ({ params, body }, { address }) => {
    limit(charged, address)
    const checkout = await findPayable(params.checkoutReference, address)
    const error = checkCardsOffered(checkout)
    if (error !== undefined) throw error
    const { merchant, transaction } = checkout
    const { transactionReference } = transaction
    const given = { transactionReference, tokenId: body.tokenId, otp: hidden(body.token), payerAddress: address }
    return showCharged(await cards.authorizeOtp(merchant, given), address)
  })

  /** Shows the payer the outcome of a charge, with the current state of the transaction. */
  async function showCharged(charge: Charge, address: string): Promise<Reply<typeof contract.checkoutCard>> {
    const { status, message, otpData, secure3dData } = showCharge(charge, publicUrl())
    return {
      status,
      message,
      otp: otpData === undefined ? null : { tokenId: otpData.id, message: otpData.message },
      redirectUrl: secure3dData?.redirectUrl ?? null,
      checkout: show(await find(links.nameOf(charge.transaction.transactionReference), address)),
    }
  }
}

/** Creates the URL that proves a checkout's receipt; null if nothing was paid. */
function checkoutProver(deps: ProofDeps) {
  const prove = receiptProver(deps)
  return ({ merchant, transaction, payment }: OpenedCheckout): string | null =>
    payment === undefined
      ? null
      : prove({
          ...transaction,
          merchantName: merchant.name,
          paidAt: transaction.paidAt ?? payment.receivedAt,
          paymentMethod: transaction.paymentMethod ?? payment.method,
        })
}

function receiptRoute(serve: Serve, { find, show, links }: Checkouts, { core, openCounter, environment }: Deps): void {
  const mailed = openCounter(RECEIPTS_PER_MINUTE_MAX)

  serve(contract.mailReceipt, async ({ params, body: { language } }, { address }) => {
    const checkout = await find(params.checkoutReference, address)
    const { receiptProof, receiptNumber } = show(checkout)
    if (receiptProof === null) throw checkoutErrors.nothingPaid()
    limit(mailed, checkout.transaction.transactionReference)
    const pdf = `${links.urlOf(checkout.transaction.transactionReference)}/receipt.pdf`
    const spoken = await textsIn(language)
    await unitOfWork(core, async (unit) => notify(unit, [receiptMail(checkout, environment, spoken, unit.at, pdf)]))
    return { receiptNumber }
  })
}

function inlineRoute(serve: Serve, { links }: Checkouts, { core, environment, openCounter }: Deps): void {
  const opened = openCounter(OPENED_PER_MINUTE_MAX)

  serve(contract.inlineCheckout, async ({ body }, { address, origin }) => {
    limit(opened, address)
    const request = { apiKey: body.apiKey, origin, transaction: readInline(body), signature: body.signature ?? null }
    const { merchant, transaction } = await openInline(core, environment, request)
    return {
      transactionReference: transaction.transactionReference,
      paymentReference: transaction.paymentReference,
      merchantName: merchant.name,
      checkoutUrl: links.urlOf(transaction.transactionReference),
    }
  })
}

/** Counts a request of an IP address; rejects it beyond the limit. */
function limit(counter: Counter, address: string): void {
  const waitSeconds = counter.usedUp(address)
  if (waitSeconds !== undefined) throw httpErrors.tooManyRequests(waitSeconds)
  counter.count(address)
}

const readInline = (body: Input<typeof contract.inlineCheckout>['body']): InlineRequest['transaction'] => ({
  amount: naira(body.amount),
  paymentReference: body.reference,
  contractCode: body.contractCode,
  currencyCode: body.currency,
  customerName: body.customerFullName ?? body.customerName ?? null,
  customerEmail: body.customerEmail,
  paymentDescription: body.paymentDescription ?? null,
  redirectUrl: null,
  paymentMethods: [...new Set(body.paymentMethods ?? [])],
  incomeSplitConfig: body.incomeSplitConfig ?? [],
  metaData: body.metaData ?? body.metadata ?? {},
})
