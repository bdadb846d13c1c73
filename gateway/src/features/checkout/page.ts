import type { CheckoutPage, CheckoutWriter } from '@kobo/contract'
import type { Page, PageRequest, Pages } from '../../core/edge/pages/index.ts'
import { offeredBanks } from '../../core/money/bank-list/index.ts'
import { trusted } from '../../platform/html.ts'

const LANGUAGE_COOKIE = /(?:^|;\s*)kobo_language=([a-z]{2,3})(?:;|$)/

/** Banks whose customers can dial a payment. */
const dialledBanks = () =>
  offeredBanks()
    .filter(({ ussdTemplate }) => ussdTemplate !== null)
    .map(({ code, name }) => ({ code, name }))

/** Makes the page at `checkoutUrl`: its first state stands in it as HTML, so that it can be read before any script arrives. */
export type MakeCheckoutPage = (facts: Omit<CheckoutPage, 'banks'>, request: PageRequest) => Promise<Page>

export function checkoutPages({ files }: Pages): MakeCheckoutPage {
  let loading: Promise<CheckoutWriter> | undefined
  return async (facts, { query, headers }) => {
    loading ??= import(files.moduleUrl('checkout-server.js')) as Promise<CheckoutWriter>
    const writer = await loading
    const language = writer.chooseLanguage({
      query: query['lang'],
      cookie: LANGUAGE_COOKIE.exec(headers.cookie ?? '')?.[1],
      accepted: headers['accept-language'],
    })
    const page: CheckoutPage = { ...facts, banks: dialledBanks() }
    const { title, markup } = writer.write(page, language)
    return {
      title,
      language,
      body: trusted(markup),
      scripts: [`words-${language}.js`, 'checkout.js'],
      data: { page, language },
      framedBy: facts.framedBy === null ? [] : [facts.framedBy],
    }
  }
}
