/** The languages of the payer's pages, by their code, as they call themselves; the first where nothing else fits. */
export const LANGUAGE_NAMES = { en: 'English', pcm: 'Pidgin', ha: 'Hausa', yo: 'Yorùbá', ig: 'Igbo' } as const
export type Language = keyof typeof LANGUAGE_NAMES

export const isLanguage = (code: string | undefined): code is Language =>
  code !== undefined && Object.keys(LANGUAGE_NAMES).includes(code)

/** The language that was asked for, by a link, then by an earlier choice, then by the browser's own list. */
export function chooseLanguage(asked: {
  readonly query: string | undefined
  readonly cookie: string | undefined
  readonly accepted: string | undefined
}): Language {
  const accepted = (asked.accepted ?? '').split(',').map((part) => part.trim().split(/[-;]/)[0]?.toLowerCase())
  return [asked.query, asked.cookie, ...accepted].find(isLanguage) ?? 'en'
}
