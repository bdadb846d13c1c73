import type { getCheckout, Reply } from '@kobo/contract'
import type { Core } from '../../core/core.ts'
import {
  brandSheet,
  type PageRequest,
  type PageResponse,
  type Pages,
  pageWriter,
  textsFor,
} from '../../core/edge/pages/index.ts'
import { findLogo } from '../../core/merchants/index.ts'
import type { Environment } from '../../platform/config/config.ts'
import { type Paper, pdfOf } from '../../platform/formats/pdf.ts'
import type { CheckoutLinks } from '../transactions/index.ts'
import { invoiceDocument, receiptDocument } from './documents.ts'
import { checkoutErrors } from './errors.ts'
import type { FindCheckout } from './service.ts'
import type { OpenedCheckout } from './show.ts'

/** Returns a function that finds the checkout whose page or file a payer requests. */
export const requestFinder =
  (find: FindCheckout) =>
  ({ params, address }: PageRequest): Promise<OpenedCheckout> =>
    find(params['checkoutReference'] ?? '', address)

interface Deps extends Pick<Core, 'db' | 'clock'> {
  readonly findByRequest: (request: PageRequest) => Promise<OpenedCheckout>
  readonly show: (checkout: OpenedCheckout) => Reply<typeof getCheckout>
  readonly links: CheckoutLinks
  readonly environment: Environment
}

/** Files of the checkout page: the merchant's branding, and documents to download. */
export function checkoutFileRoutes(pages: Pages, { findByRequest, show, links, db, clock, environment }: Deps): void {
  pages.get('/checkout/logos/:name', async ({ params }) => {
    const logo = await findLogo(db, params['name'] ?? '')
    if (logo === undefined) throw checkoutErrors.notFound()
    return { file: { ...logo, name: 'logo', isForever: true } }
  })

  pages.get('/checkout/colours/:name', async ({ params }) => {
    const sheet = brandSheet(params['name'] ?? '')
    if (sheet === undefined) throw checkoutErrors.notFound()
    return {
      file: { content: Buffer.from(sheet), type: 'text/css; charset=utf-8', name: 'colour.css', isForever: true },
    }
  })

  pages.get('/checkout/:checkoutReference/receipt.pdf', async (request) => {
    const checkout = await findByRequest(request)
    const { receiptProof } = show(checkout)
    if (receiptProof === null) throw checkoutErrors.nothingPaid()
    const proof = (await pageWriter()).qrModules(receiptProof)
    const spoken = await textsFor(request)
    return paper('receipt', checkout, receiptDocument(checkout, environment, spoken, clock.now(), proof))
  })

  pages.get('/checkout/:checkoutReference/invoice.pdf', async (request) => {
    const checkout = await findByRequest(request)
    const { invoiceReference, transactionReference } = checkout.transaction
    if (invoiceReference === null) throw checkoutErrors.notFound()
    const url = links.urlOf(transactionReference)
    return paper('invoice', checkout, invoiceDocument(checkout, environment, await textsFor(request), url))
  })
}

/** Returns a document to download, with a descriptive file name. */
const paper = async (kind: string, { transaction }: OpenedCheckout, drawn: Paper): Promise<PageResponse> => ({
  file: { content: await pdfOf(drawn), type: 'application/pdf', name: `${kind}-${transaction.paymentReference}.pdf` },
})
