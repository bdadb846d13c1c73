import type { CheckoutWriter } from '@kobo/contract'
import type { PageRequest, Pages } from './serve.ts'

const LANGUAGE_COOKIE = /(?:^|;\s*)kobo_language=([a-z]{2,3})(?:;|$)/

/** Loads the renderer of the payer's pages, once. */
export function pageWriter({ files }: Pick<Pages, 'files'>): () => Promise<CheckoutWriter> {
  let loading: Promise<CheckoutWriter> | undefined
  return () => {
    loading ??= import(files.moduleUrl('checkout-server.js')) as Promise<CheckoutWriter>
    return loading
  }
}

/** The language of a payer's page: from its link, an earlier choice, or the browser. */
export const languageOf = (
  { chooseLanguage }: CheckoutWriter,
  { query, headers }: Pick<PageRequest, 'query' | 'headers'>,
): string =>
  chooseLanguage({
    query: query['lang'],
    cookie: LANGUAGE_COOKIE.exec(headers.cookie ?? '')?.[1],
    accepted: headers['accept-language'],
  })
