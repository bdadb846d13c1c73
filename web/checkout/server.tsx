import type { CheckoutPage, CheckoutWriter, LinkPage } from '@kobo/contract'
import { encode } from 'uqr'
import { chooseLanguage as choose, isLanguage, LANGUAGE_NAMES } from '../ui/language.ts'
import { toMarkup } from '../ui/markup.ts'
import { DOCUMENT_TEXTS, MESSAGES } from '../ui/messages/all.ts'
import type { Actions } from './actions.ts'
import { firstModel } from './model.ts'
import { App } from './views/app.tsx'
import { LinkSlip } from './views/link.tsx'

/** Before the script loads, only links and forms work. */
const NO_ACTIONS = {} as Actions

export const chooseLanguage: CheckoutWriter['chooseLanguage'] = choose

/** Renders the page's first state as HTML. The script then takes over that HTML. */
export const write: CheckoutWriter['write'] = (page: CheckoutPage, requested: string) => {
  const language = isLanguage(requested) ? requested : 'en'
  const words = MESSAGES[language]
  const markup = toMarkup(<App model={firstModel(page, language, words)} actions={NO_ACTIONS} />)
  return { title: words.pageTitle(page.checkout.merchantName), markup: `<div id="app">${markup}</div>` }
}

/** Renders a payment link's page, which needs no script. */
export const writeLink: CheckoutWriter['writeLink'] = (page: LinkPage, requested: string) => {
  const language = isLanguage(requested) ? requested : 'en'
  const words = MESSAGES[language]
  const markup = toMarkup(<LinkSlip page={page} words={words} language={language} />)
  return { title: `${page.title} – ${page.merchantName}`, markup }
}

/** The texts of all other pages, documents and emails that the gateway writes for payers. */
export const texts: CheckoutWriter['texts'] = (requested: string) => {
  const language = isLanguage(requested) ? requested : 'en'
  return { ...MESSAGES[language], ...DOCUMENT_TEXTS[language], languageNames: LANGUAGE_NAMES }
}

/** A QR code for documents. */
export const qrModules: CheckoutWriter['qrModules'] = (text: string) => encode(text, { ecc: 'M', border: 0 }).data
