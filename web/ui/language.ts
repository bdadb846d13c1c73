/** The languages of the customer's pages by code, in their own names; the first is the default. */
export const LANGUAGE_NAMES = { en: 'English', pcm: 'Pidgin', ha: 'Hausa', yo: 'Yorùbá', ig: 'Igbo' } as const
export type Language = keyof typeof LANGUAGE_NAMES

export const isLanguage = (code: string | undefined): code is Language =>
  code !== undefined && Object.keys(LANGUAGE_NAMES).includes(code)

/** The language to show: from the link, else an earlier choice, else the browser. */
export function chooseLanguage(preferences: {
  readonly query: string | undefined
  readonly cookie: string | undefined
  readonly accepted: string | undefined
}): Language {
  const accepted = (preferences.accepted ?? '').split(',').map((part) => part.trim().split(/[-;]/)[0]?.toLowerCase())
  return [preferences.query, preferences.cookie, ...accepted].find(isLanguage) ?? 'en'
}
