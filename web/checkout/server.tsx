import type { CheckoutPage, CheckoutWriter, LinkPage } from '@kobo/contract'
import { chooseLanguage as choose, isLanguage } from '../ui/language.ts'
import { toMarkup } from '../ui/markup.ts'
import { MESSAGES, PAPERS } from '../ui/messages/all.ts'
import type { Actions } from './actions.ts'
import { firstModel } from './model.ts'
import { App } from './views/app.tsx'
import { LinkSlip } from './views/link.tsx'

/** Nothing can be done before the script arrives but what links and forms do. */
const NO_ACTIONS = {} as Actions

export const chooseLanguage: CheckoutWriter['chooseLanguage'] = choose

/** The first state of the page as HTML, as the script will find it. */
export const write: CheckoutWriter['write'] = (page: CheckoutPage, asked: string) => {
  const language = isLanguage(asked) ? asked : 'en'
  const words = MESSAGES[language]
  const markup = toMarkup(<App model={firstModel(page, language, words)} actions={NO_ACTIONS} />)
  return { title: words.pageTitle(page.checkout.merchantName), markup: `<div id="app">${markup}</div>` }
}

/** The page of a payment link, which needs no script. */
export const writeLink: CheckoutWriter['writeLink'] = (page: LinkPage, asked: string) => {
  const language = isLanguage(asked) ? asked : 'en'
  const words = MESSAGES[language]
  const markup = toMarkup(<LinkSlip page={page} words={words} language={language} />)
  return { title: `${page.title} – ${page.merchantName}`, markup }
}

/** The words of receipts and invoices. */
export const paperWords: CheckoutWriter['paperWords'] = (asked: string) => {
  const language = isLanguage(asked) ? asked : 'en'
  return { ...MESSAGES[language], ...PAPERS[language] }
}
