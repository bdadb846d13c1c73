import type * as contract from '@kobo/contract'
import type { Reply } from '@kobo/contract'
import { type Bank, findOfferedBank } from '../../core/bank-list/index.ts'
import type { Core } from '../../core/core.ts'
import type { Pages } from '../../core/edge/pages/index.ts'
import type { Environment } from '../../platform/config/config.ts'
import type { CheckoutLinks } from '../transactions/index.ts'
import { checkoutFileRoutes, requestFinder } from './file-routes.ts'
import { live } from './live.ts'
import { makeCheckoutPage } from './page.ts'
import { dialText, type FindCheckout, framedBy, knownBank, ussdMethodOf } from './service.ts'
import { isPaused, type OpenedCheckout } from './show.ts'

/** Shared by all routes of the checkout. */
export interface Checkouts {
  readonly find: FindCheckout
  /** Finds the checkout for a payer who wants to pay. Throws while the merchant takes no payments. */
  readonly findPayable: FindCheckout
  readonly show: (checkout: OpenedCheckout) => Reply<typeof contract.getCheckout>
  /** Opens the account for a transfer, if there is none yet. */
  readonly transfer: (
    checkout: OpenedCheckout,
    method: 'ACCOUNT_TRANSFER' | 'USSD',
    bank?: Bank,
  ) => Promise<OpenedCheckout>
  readonly links: CheckoutLinks
}

/** Serves the page at `checkoutUrl` and its live updates. */
export function checkoutPageRoutes(
  pages: Pages,
  { find, show, transfer, links }: Checkouts,
  { db, clock, shards }: Core,
  environment: Environment,
): void {
  const { follow } = live({ db, shards })

  const findByRequest = requestFinder(find)
  checkoutFileRoutes(pages, { findByRequest, show, links, db, clock, environment })

  pages.get('/checkout/:checkoutReference', async (request) => {
    const checkout = await findByRequest(request)
    const bank = findOfferedBank(request.query['bank'] ?? '')
    const facts = {
      checkout: show(checkout),
      checkoutReference: links.nameOf(checkout.transaction.transactionReference),
      url: links.urlOf(checkout.transaction.transactionReference),
      framedBy: (await framedBy(db, checkout, environment)) ?? null,
      isSandbox: environment === 'sandbox',
      method: request.query['method'] ?? null,
      dialled: bank === undefined ? null : { bankCode: bank.code, ussdPayment: dialText(checkout, bank) },
    }
    return { page: await makeCheckoutPage(facts, checkout.merchant, request) }
  })

  // For browsers without scripts: a form opens the account, and redirects to the page that shows it.
  pages.post('/checkout/:checkoutReference', async (request) => {
    const { form } = request
    const checkout = await findByRequest(request)
    const path = `/checkout/${encodeURIComponent(links.nameOf(checkout.transaction.transactionReference))}`
    if (isPaused(checkout.merchant)) return { seeOther: path } // the page shows the reason
    if (!form['bankCode']) {
      await transfer(checkout, 'ACCOUNT_TRANSFER')
      return { seeOther: path }
    }
    const bank = knownBank(form['bankCode'])
    await transfer(checkout, ussdMethodOf(checkout), bank)
    return { seeOther: `${path}?bank=${bank.code}` }
  })

  pages.stream('/checkout/:checkoutReference/events', async ({ params, ip }, stream) => {
    const { checkoutReference } = params as { readonly checkoutReference: string }
    const notify = async (): Promise<OpenedCheckout> => {
      const checkout = await find(checkoutReference, ip)
      const shown = show(checkout)
      stream.send(shown)
      if (shown.completed) stream.end()
      return checkout
    }
    // If the state cannot be read, the stream ends, and the page reconnects.
    return follow(await notify(), () => void notify().catch(stream.end))
  })
}
