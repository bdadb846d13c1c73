import type { CheckoutWriter, PayerTexts } from '@kobo/contract'
import { DIST } from './files.ts'

const LANGUAGE_COOKIE = /(?:^|;\s*)kobo_language=([a-z]{2,3})(?:;|$)/

let loading: Promise<CheckoutWriter> | undefined

/** Loads the renderer of the payer's pages and its texts, once. */
export function pageWriter(): Promise<CheckoutWriter> {
  loading ??= import(new URL('checkout-server.js', DIST).href) as Promise<CheckoutWriter>
  return loading
}

/** The language that a payer reads, and our texts in it. */
export interface PayerLanguage {
  readonly language: string
  readonly words: PayerTexts
}

/** A request, of a page or of the framework. */
interface Reader {
  readonly query: unknown
  readonly headers: { readonly cookie?: string | undefined; readonly 'accept-language'?: string | undefined }
}

/** The language in a page's address. */
function languageInQuery(query: unknown): string | undefined {
  const { lang } = (query ?? {}) as { readonly lang?: unknown }
  return typeof lang === 'string' ? lang : undefined
}

/** The language of a payer's page: from its link, an earlier choice, or the browser. */
export const languageOf = ({ chooseLanguage }: CheckoutWriter, { query, headers }: Reader): string =>
  chooseLanguage({
    query: languageInQuery(query),
    cookie: LANGUAGE_COOKIE.exec(headers.cookie ?? '')?.[1],
    accepted: headers['accept-language'],
  })

export async function textsFor(request: Reader): Promise<PayerLanguage> {
  const writer = await pageWriter()
  const language = languageOf(writer, request)
  return { language, words: writer.texts(language) }
}

/** The texts of an email, whose reader has no page open: in the requested language, or English. */
export async function textsIn(requested: string | null | undefined): Promise<PayerLanguage> {
  const writer = await pageWriter()
  const language = writer.chooseLanguage({ query: requested ?? undefined, cookie: undefined, accepted: undefined })
  return { language, words: writer.texts(language) }
}

/** One of our pages in a language; without one, the reader's browser decides. */
export const inLanguage = (url: string, language: string | null | undefined): string =>
  language ? `${url}?lang=${encodeURIComponent(language)}` : url
