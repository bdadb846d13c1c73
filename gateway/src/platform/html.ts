const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text that is safe inside an element or a quoted attribute. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '')

/** HTML that may be sent as it is. It is no string, so that a text from outside cannot be taken for it. */
export interface Html {
  readonly markup: string
}

/** Marks markup of our own as HTML: never anything that came from outside. */
export const trusted = (markup: string): Html => ({ markup })

type Content = string | number | Html | readonly Html[] | null | undefined | false

/** HTML from a template: texts in it are escaped, HTML in it stays, and nothing is shown for null, undefined and false. */
export const html = (markup: TemplateStringsArray, ...contents: readonly Content[]): Html =>
  trusted(markup.reduce((before, after, index) => before + markupOf(contents[index - 1]) + after))

function markupOf(content: Content): string {
  if (content === null || content === undefined || content === false) return ''
  if (typeof content !== 'object') return escapeHtml(String(content))
  return 'markup' in content ? content.markup : content.map(({ markup }) => markup).join('')
}

/** JSON that is safe inside a script element of type application/json. */
export const jsonForHtml = (value: unknown): Html => trusted(JSON.stringify(value).replaceAll('<', '\\u003c'))
