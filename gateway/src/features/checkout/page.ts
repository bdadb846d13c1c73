import type { CheckoutPage } from '@kobo/contract'
import { offeredBanks } from '../../core/bank-list/index.ts'
import { brandStyles, languageOf, type Page, type PageRequest, pageWriter } from '../../core/edge/pages/index.ts'
import type { Merchant } from '../../core/merchants/index.ts'
import { trusted } from '../../platform/formats/html.ts'

/** Banks that support USSD payments. */
const ussdBanks = () =>
  offeredBanks()
    .filter(({ ussdTemplate }) => ussdTemplate !== null)
    .map(({ code, name }) => ({ code, name }))

/**
 * Renders the page at `checkoutUrl`. Its first state is in the HTML, so that it can be read before any script runs.
 */
export async function makeCheckoutPage(
  facts: Omit<CheckoutPage, 'banks'>,
  merchant: Merchant,
  request: PageRequest,
): Promise<Page> {
  const writer = await pageWriter()
  const language = languageOf(writer, request)
  const page: CheckoutPage = { ...facts, banks: ussdBanks() }
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
