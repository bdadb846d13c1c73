import type { CheckoutPage } from '@kobo/contract'
import {
  brandStyles,
  languageOf,
  type Page,
  type PageRequest,
  type Pages,
  pageWriter,
} from '../../core/edge/pages/index.ts'
import type { Merchant } from '../../core/merchants/index.ts'
import { offeredBanks } from '../../core/money/bank-list/index.ts'
import { trusted } from '../../platform/html.ts'

/** Banks whose customers can dial a payment. */
const dialledBanks = () =>
  offeredBanks()
    .filter(({ ussdTemplate }) => ussdTemplate !== null)
    .map(({ code, name }) => ({ code, name }))

/** Makes the page at `checkoutUrl`: its first state stands in it as HTML, so that it can be read before any script arrives. */
export type MakeCheckoutPage = (
  facts: Omit<CheckoutPage, 'banks'>,
  merchant: Merchant,
  request: PageRequest,
) => Promise<Page>

export function checkoutPages(pages: Pages): MakeCheckoutPage {
  const load = pageWriter(pages)
  return async (facts, merchant, request) => {
    const writer = await load()
    const language = languageOf(writer, request)
    const page: CheckoutPage = { ...facts, banks: dialledBanks() }
    const { title, markup } = writer.write(page, language)
    return {
      title,
      language,
      body: trusted(markup),
      styles: brandStyles(merchant),
      scripts: [`words-${language}.js`, 'checkout.js'],
      data: { page, language },
      framedBy: facts.framedBy === null ? [] : [facts.framedBy],
    }
  }
}
