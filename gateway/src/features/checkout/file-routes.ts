import type { getCheckout, Reply } from '@kobo/contract'
import type { Core } from '../../core/core.ts'
import {
  brandSheet,
  languageOf,
  type PageRequest,
  type PageResponse,
  type Pages,
  pageWriter,
} from '../../core/edge/pages/index.ts'
import { findLogo } from '../../core/merchants/index.ts'
import { Refusal } from '../../kernel/errors.ts'
import type { Environment } from '../../platform/config/config.ts'
import { type Paper, pdfOf } from '../../platform/formats/pdf.ts'
import type { CheckoutLinks } from '../transactions/index.ts'
import { type DocumentLanguage, invoiceDocument, receiptDocument } from './documents.ts'
import { checkoutErrors } from './errors.ts'
import type { FindCheckout } from './service.ts'
import type { OpenedCheckout } from './show.ts'

/** Finds the checkout of a payer's link; an unknown link gets a readable error page. */
export const personFinder =
  (find: FindCheckout) =>
  ({ params, address }: PageRequest): Promise<OpenedCheckout> =>
    find(params['checkoutReference'] ?? '', address).catch((error: Error) => {
      throw error instanceof Refusal && error.status === 404 ? checkoutErrors.noPayment() : error
    })

interface Deps extends Pick<Core, 'db' | 'clock'> {
  readonly findForPerson: (request: PageRequest) => Promise<OpenedCheckout>
  readonly show: (checkout: OpenedCheckout) => Reply<typeof getCheckout>
  readonly links: CheckoutLinks
  readonly environment: Environment
}

/** Files of the checkout page: the merchant's branding, and documents to download. */
export function checkoutFileRoutes(pages: Pages, { findForPerson, show, links, db, clock, environment }: Deps): void {
  const load = pageWriter(pages)
  const spokenBy = async (request: PageRequest): Promise<DocumentLanguage> => {
    const writer = await load()
    const language = languageOf(writer, request)
    return { language, words: writer.receiptTexts(language) }
  }

  pages.get('/checkout/logos/:name', async ({ params }) => {
    const logo = await findLogo(db, params['name'] ?? '')
    if (logo === undefined) throw checkoutErrors.noPayment()
    return { file: { ...logo, name: 'logo', isForever: true } }
  })

  pages.get('/checkout/colours/:name', async ({ params }) => {
    const sheet = brandSheet(params['name'] ?? '')
    if (sheet === undefined) throw checkoutErrors.noPayment()
    return {
      file: { content: Buffer.from(sheet), type: 'text/css; charset=utf-8', name: 'colour.css', isForever: true },
    }
  })

  pages.get('/checkout/:checkoutReference/receipt.pdf', async (request) => {
    const checkout = await findForPerson(request)
    const { receiptProof } = show(checkout)
    if (receiptProof === null) throw checkoutErrors.nothingPaid()
    const proof = (await load()).qrModules(receiptProof)
    const spoken = await spokenBy(request)
    return paper('receipt', checkout, receiptDocument(checkout, environment, spoken, clock.now(), proof))
  })

  pages.get('/checkout/:checkoutReference/invoice.pdf', async (request) => {
    const checkout = await findForPerson(request)
    const { invoiceReference, transactionReference } = checkout.transaction
    if (invoiceReference === null) throw checkoutErrors.noPayment()
    const url = links.urlOf(transactionReference)
    return paper('invoice', checkout, invoiceDocument(checkout, environment, await spokenBy(request), url))
  })
}

/** A document to download, with a descriptive file name. */
const paper = async (kind: string, { transaction }: OpenedCheckout, drawn: Paper): Promise<PageResponse> => ({
  file: { content: await pdfOf(drawn), type: 'application/pdf', name: `${kind}-${transaction.paymentReference}.pdf` },
})
