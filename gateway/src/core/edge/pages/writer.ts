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

/** A request, either a page's `PageRequest` or Fastify's. */
interface Reader {
  readonly query: unknown
  readonly headers: { readonly cookie?: string | undefined; readonly 'accept-language'?: string | undefined }
}

/** Returns the language in a page's URL. */
function languageInQuery(query: unknown): string | undefined {
  const { lang } = (query ?? {}) as { readonly lang?: unknown }
  return typeof lang === 'string' ? lang : undefined
}

/** Chooses the language of a payer's page, by its link, an earlier choice or the browser. */
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

/** Returns the texts of an email in the requested language, or in English. */
export async function textsIn(requested: string | null | undefined): Promise<PayerLanguage> {
  const writer = await pageWriter()
  const language = writer.chooseLanguage({ query: requested ?? undefined, cookie: undefined, accepted: undefined })
  return { language, words: writer.texts(language) }
}

/** Adds a language to the URL of one of our pages. Without a language, the reader's browser decides. */
export const inLanguage = (url: string, language: string | null | undefined): string =>
  language ? `${url}?lang=${encodeURIComponent(language)}` : url
