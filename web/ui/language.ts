import { en, type Messages } from './messages/en.ts'
import { pcm } from './messages/pcm.ts'

/** The languages of the payer's pages, by their code; the first where nothing else fits. */
export const LANGUAGES = { en, pcm } as const satisfies Record<string, Messages>
export type Language = keyof typeof LANGUAGES

export const isLanguage = (code: string | undefined): code is Language =>
  code !== undefined && Object.keys(LANGUAGES).includes(code)

/** The language that was asked for, by a link, then by an earlier choice, then by the browser's own list. */
export function chooseLanguage(asked: {
  readonly query: string | undefined
  readonly cookie: string | undefined
  readonly accepted: string | undefined
}): Language {
  const accepted = (asked.accepted ?? '').split(',').map((part) => part.trim().split(/[-;]/)[0]?.toLowerCase())
  return [asked.query, asked.cookie, ...accepted].find(isLanguage) ?? 'en'
}
