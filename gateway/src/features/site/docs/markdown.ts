import { Marked } from 'marked'
import { escapeHtml, type Html, trusted } from '../../../platform/formats/html.ts'
import { ALL_GUIDES, guideAddress } from './guides.ts'

/** Returns a heading's anchor, the same as on GitHub. */
export const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s+/g, '-')

/** Returns the URL of a link in docs/; undefined for a file that is not served. */
export function addressOf(href: string): string | undefined {
  if (/^([/#]|https?:)/.test(href)) return href
  const [file = '', anchor] = href.split('#')
  const [name = '', folder] = file.replace(/\.md$/, '').split('/').reverse()
  const isServed = ALL_GUIDES.some((guide) => guide.name === name && (folder === undefined || folder === guide.folder))
  if (!isServed) return undefined
  return guideAddress(name) + (anchor === undefined ? '' : `#${anchor}`)
}

const FOLD = /^(<details><summary>[A-Za-z]+<\/summary>|<\/details>)\s*$/

const marked = new Marked({
  renderer: {
    heading({ tokens, text, depth }) {
      return `<h${depth} id="${escapeHtml(anchorOf(text))}">${this.parser.parseInline(tokens)}</h${depth}>\n`
    },
    link({ href, tokens }) {
      const address = addressOf(href)
      const text = this.parser.parseInline(tokens)
      return address === undefined ? text : `<a href="${escapeHtml(address)}">${text}</a>`
    },
    image: ({ href, text }) =>
      `<img src="/docs/${escapeHtml(href.replace(/^(\.\.\/)+/, ''))}" alt="${escapeHtml(text)}" loading="lazy">`,
    // A table or code block can be wider than the page: it scrolls within the page, also by keyboard.
    code({ text, lang }) {
      const label = lang === undefined || lang === '' ? 'Sample' : `Sample: ${lang}`
      return `<pre tabindex="0" aria-label="${escapeHtml(label)}"><code>${escapeHtml(text)}</code></pre>\n`
    },
    table(token) {
      const row = (cells: typeof token.header, tag: 'th' | 'td'): string =>
        `<tr>${cells.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>`
      const body = token.rows.map((cells) => row(cells, 'td')).join('\n')
      return `<div class="wide" tabindex="0" role="group" aria-label="Table"><table><thead>${row(token.header, 'th')}</thead><tbody>${body}</tbody></table></div>\n`
    },
    // Our pages contain no HTML except code that is folded by language, and comments for editors.
    html: ({ text }) => (FOLD.test(text) ? text.replace('<details>', '<details class="language">') : ''),
  },
})

/** Renders our own Markdown as HTML. It must never get content from outside. */
export const markdown = (text: string): Html => trusted(marked.parse(text, { async: false }))

/** Renders a sentence or two of Markdown, without a paragraph around it. */
export const inlineMarkdown = (text: string): Html => trusted(marked.parseInline(text, { async: false }))
