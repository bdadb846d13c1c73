const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text escaped for an element or a quoted attribute. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '')

/** HTML that may be sent without escaping. It is not a string, so that text from outside cannot be mistaken for it. */
export interface Html {
  readonly markup: string
}

/** Marks our own markup as HTML; never use it for outside text. */
export const trusted = (markup: string): Html => ({ markup })

type Content = string | number | Html | readonly Html[] | null | undefined | false

/** HTML from a template: texts are escaped, HTML is kept, and null, undefined and false show nothing. */
export const html = (markup: TemplateStringsArray, ...contents: readonly Content[]): Html =>
  trusted(markup.reduce((before, after, index) => before + markupOf(contents[index - 1]) + after))

function markupOf(content: Content): string {
  if (content === null || content === undefined || content === false) return ''
  if (typeof content !== 'object') return escapeHtml(String(content))
  return 'markup' in content ? content.markup : content.map(({ markup }) => markup).join('')
}

/** JSON escaped for a script element of type application/json. */
export const jsonForHtml = (value: unknown): Html => trusted(JSON.stringify(value).replaceAll('<', '\\u003c'))
