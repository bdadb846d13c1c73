import type { Input, Reply } from '@kobo/contract'
import * as contract from '@kobo/contract'
import { type Bank, findBank } from '../../core/banks/index.ts'
import type { Core } from '../../core/core.ts'
import type { Serve } from '../../core/http/index.ts'
import type { PageRequest, Pages } from '../../core/pages/index.ts'
import type { VirtualAccounts } from '../../core/virtual-accounts/index.ts'
import { Refusal } from '../../kernel/errors.ts'
import { hidden } from '../../kernel/hidden.ts'
import { naira } from '../../kernel/money.ts'
import type { Environment } from '../../platform/config.ts'
import { httpErrors } from '../../platform/http.ts'
import type { Metrics } from '../../platform/metrics.ts'
import type { Counter } from '../../platform/rate-limit.ts'
import { assignAccounts, type BankTransferLane, bankTransferErrors } from '../bank-transfer/index.ts'
import { type Cards, type Charge, readCard, showCharge } from '../cards/index.ts'
import type { NewTransaction } from '../transactions/index.ts'
import { checkoutErrors } from './errors.ts'
import { live } from './live.ts'
import { checkoutPages } from './page.ts'
import { checkoutFinder, chooseTransfer, dialText, framedBy, GUESSES_PER_MINUTE_MAX, openInline } from './service.ts'
import { type OpenedCheckout, showCheckout } from './show.ts'

/** Transactions that pages of one address may open in a minute: many payers may share an address, but not so many. */
const OPENED_PER_MINUTE_MAX = 120
/** Charges and codes that may come from one address in a minute: who tries out cards needs more. */
const CHARGED_PER_MINUTE_MAX = 60

interface Deps {
  readonly core: Core
  readonly metrics: Metrics
  readonly environment: Environment
  readonly pages: Pages
  readonly cards: Cards
  readonly virtualAccounts: VirtualAccounts
  readonly counted: (perMinute: number) => Counter
  readonly publicUrl: () => string
}

/** The payer's side of a transaction: the hosted checkout, and the script that opens it over a merchant's own page. */
export function checkoutRoutes(serve: Serve, deps: Deps): void {
  const { core, environment, pages, cards } = deps
  const { db, clock } = core
  const find = checkoutFinder(core, cards, deps.counted(GUESSES_PER_MINUTE_MAX))
  const opened = deps.counted(OPENED_PER_MINUTE_MAX)
  const charged = deps.counted(CHARGED_PER_MINUTE_MAX)
  const assign: BankTransferLane = deps.metrics.lane({
    name: 'checkout transfer',
    run: (wishes) => assignAccounts(deps, wishes),
  })
  const transferDeps = { assign, clock }
  const makePage = checkoutPages(pages)
  const { follow } = live(db)
  const show = (checkout: OpenedCheckout) => showCheckout(checkout, clock.now())
  const addressOf = (transactionReference: string): string =>
    `${deps.publicUrl()}/checkout/${encodeURIComponent(transactionReference)}`

  serve(contract.getCheckout, async ({ params }, { address }) => show(await find(params.transactionReference, address)))

  serve(contract.checkoutTransfer, async ({ params }, { address }) =>
    show(await chooseTransfer(transferDeps, await find(params.transactionReference, address), 'ACCOUNT_TRANSFER')),
  )

  serve(contract.checkoutUssd, async ({ params, body }, { address }) => {
    const bank = knownBank(body.bankCode)
    const checkout = await dial(await find(params.transactionReference, address), bank)
    return { checkout: show(checkout), ussdPayment: dialText(checkout, bank) }
  })

  /** By whichever of the two methods the transaction takes: an account is dialled to as it is transferred to. */
  const dial = (checkout: OpenedCheckout, bank: Bank): Promise<OpenedCheckout> => {
    const method = checkout.transaction.paymentMethods.includes('USSD') ? 'USSD' : 'ACCOUNT_TRANSFER'
    return chooseTransfer(transferDeps, checkout, method, bank)
  }

  serve(contract.checkoutCard, async ({ params, body }, { address }) => {
    limit(charged, address)
    const checkout = await find(params.transactionReference, address)
    const wanted = { ...params, card: readCard(body.card), channel: 'WEB_SDK' } as const
    return showCharged(await cards.charge(checkout.merchant, wanted), address)
  })

  serve(contract.checkoutOtp, async ({ params, body }, { address }) => {
    limit(charged, address)
    const { merchant } = await find(params.transactionReference, address)
    const given = { ...params, tokenId: body.tokenId, otp: hidden(body.token) }
    return showCharged(await cards.authorizeOtp(merchant, given), address)
  })

  /** What came of a charge, for the payer, with what has become of the transaction. */
  async function showCharged(charge: Charge, address: string): Promise<Reply<typeof contract.checkoutCard>> {
    const { status, message, otpData, secure3dData } = showCharge(charge, deps.publicUrl())
    return {
      status,
      message,
      otp: otpData === undefined ? null : { tokenId: otpData.id, message: otpData.message },
      redirectUrl: secure3dData?.redirectUrl ?? null,
      checkout: show(await find(charge.transaction.transactionReference, address)),
    }
  }

  serve(contract.inlineCheckout, async ({ body }, { address, origin }) => {
    limit(opened, address)
    const { merchant, transaction } = await openInline(core, environment, {
      apiKey: body.apiKey,
      origin,
      wanted: readInline(body),
    })
    return {
      transactionReference: transaction.transactionReference,
      paymentReference: transaction.paymentReference,
      merchantName: merchant.name,
      checkoutUrl: addressOf(transaction.transactionReference),
    }
  })

  const findForPerson = ({ params, address }: PageRequest): Promise<OpenedCheckout> =>
    find(params['transactionReference'] ?? '', address).catch((error: Error) => {
      throw error instanceof Refusal && error.status === 404 ? checkoutErrors.noPayment() : error
    })

  pages.get('/checkout/:transactionReference', async (request) => {
    const checkout = await findForPerson(request)
    const bank = findBank(request.query['bank'] ?? '')
    const facts = {
      checkout: show(checkout),
      url: addressOf(checkout.transaction.transactionReference),
      framedBy: (await framedBy(db, checkout)) ?? null,
      isSandbox: environment === 'sandbox',
      method: request.query['method'] ?? null,
      dialled: bank === undefined ? null : { bankCode: bank.code, ussdPayment: dialText(checkout, bank) },
    }
    return { page: await makePage(facts, request) }
  })

  // The same without the page's script: a form opens the account, and leads back to the page that shows it.
  pages.post('/checkout/:transactionReference', async (request) => {
    const { form } = request
    const checkout = await findForPerson(request)
    const path = `/checkout/${encodeURIComponent(checkout.transaction.transactionReference)}`
    if (!form['bankCode']) {
      await chooseTransfer(transferDeps, checkout, 'ACCOUNT_TRANSFER')
      return { seeOther: path }
    }
    const bank = knownBank(form['bankCode'])
    await dial(checkout, bank)
    return { seeOther: `${path}?bank=${bank.code}` }
  })

  pages.stream('/checkout/:transactionReference/events', async ({ params, ip }, stream) => {
    const { transactionReference } = params as { readonly transactionReference: string }
    const tell = async (): Promise<OpenedCheckout> => {
      const checkout = await find(transactionReference, ip)
      const shown = show(checkout)
      stream.send(shown)
      if (shown.completed) stream.end()
      return checkout
    }
    // Where it cannot be read just now, the stream ends, and the page comes back for another.
    return follow((await tell()).transaction, () => void tell().catch(stream.end))
  })

  pages.file('/plugin/checkout.js', 'plugin.js')
}

/** Counts once more for an address, unless it has used up its share. */
function limit(counter: Counter, address: string): void {
  const waitSeconds = counter.usedUp(address)
  if (waitSeconds !== undefined) throw httpErrors.tooManyRequests(waitSeconds)
  counter.count(address)
}

function knownBank(bankCode: string): Bank {
  const bank = findBank(bankCode)
  if (bank === undefined) throw bankTransferErrors.unknownBank(bankCode)
  return bank
}

const readInline = (body: Input<typeof contract.inlineCheckout>['body']): NewTransaction => ({
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
