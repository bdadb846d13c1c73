import { lexer } from 'marked'
import { type Html, html } from '../../../platform/formats/html.ts'
import { callsOf, type Document } from './document.ts'
import { ALL_GUIDES, guideAddress, readGuide } from './guides.ts'
import { anchorOf, inlineMarkdown } from './markdown.ts'
import { groupAddress } from './reference.ts'

export const QUERY_LENGTH_MAX = 200
const TERMS_MAX = 8
const FOUND_MAX = 20
const EXCERPT_LENGTH = 180
/** Characters of an excerpt before the first term. */
const EXCERPT_LEAD = 60

/** A heading of a guide with its text, or an endpoint of the reference. */
export interface Section {
  readonly title: string
  /** The title of the page that it is on. */
  readonly page: string
  readonly address: string
  readonly text: string
}

/** Reads everything that can be found: the guides by heading, and the endpoints of the groups. */
export async function readSections(document: Document, groups: readonly string[]): Promise<readonly Section[]> {
  const guides = await Promise.all(
    ALL_GUIDES.map(async (guide) => sectionsOf(guide.title, guideAddress(guide.name), await readGuide(guide))),
  )
  const calls = groups.flatMap((group) =>
    callsOf(document, group).map(({ method, path, operation }) => ({
      title: `${method} ${path}`,
      page: group,
      address: `${groupAddress(group)}#${operation.operationId}`,
      text: plain(`${operation.summary}. ${operation.description ?? ''}`),
    })),
  )
  return [...guides.flat(), ...calls]
}

function sectionsOf(page: string, address: string, markdown: string): readonly Section[] {
  const sections: { title: string; page: string; address: string; text: string }[] = []
  for (const token of lexer(markdown))
    if (token.type === 'heading')
      sections.push({
        title: token['text'],
        page,
        address: token['depth'] === 1 ? address : `${address}#${anchorOf(token['text'])}`,
        text: '',
      })
    else {
      const section = sections.at(-1)
      if (section !== undefined) section.text += `${plain(token.raw)} `
    }
  return sections
}

/** Returns Markdown as one line of text without its marks. */
const plain = (markdown: string): string =>
  markdown
    .replace(/```\w*|\]\([^)]*\)|<[^>]*>|[`*|[]|-{3,}/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

/** Splits a query into terms. A plural also finds the singular. */
const termsOf = (query: string): readonly string[] =>
  [
    ...new Set((query.toLowerCase().match(/[\p{L}\p{N}_.-]+/gu) ?? []).map((term) => term.replace(/(?<=.{3})s$/, ''))),
  ].slice(0, TERMS_MAX)

const count = (terms: readonly string[], text: string): number => terms.filter((term) => text.includes(term)).length

/** Finds the sections that contain the most terms; those with the terms in their titles come first. */
function find(sections: readonly Section[], terms: readonly string[]): readonly Section[] {
  const hits = sections.map((section) => {
    const [title, page] = [section.title.toLowerCase(), section.page.toLowerCase()]
    const found = count(terms, `${title} ${page} ${section.text.toLowerCase()}`)
    return { section, found, points: 2 * count(terms, title) + count(terms, page) }
  })
  const best = Math.max(...hits.map(({ found }) => found))
  return hits
    .filter(({ found }) => found > 0 && found === best)
    .sort((one, other) => other.points - one.points)
    .slice(0, FOUND_MAX)
    .map(({ section }) => section)
}

function excerpt(text: string, terms: readonly string[]): string {
  const at = Math.max(0, ...terms.slice(0, 1).map((term) => text.toLowerCase().indexOf(term)))
  const start = Math.max(0, at - EXCERPT_LEAD)
  const end = start + EXCERPT_LENGTH
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`
}

/** Renders the results. */
export function searchResults(sections: readonly Section[], query: string): Html {
  const terms = termsOf(query)
  const found = find(sections, terms)
  if (terms.length === 0) return html`<h1>Search</h1><p>Enter one or more words.</p>`
  if (found.length === 0) return html`<h1>Search</h1><p>Nothing found for “${query}”. Try other words.</p>`
  return html`<h1>Search</h1>
<ul class="fields found">${found.map(
    ({ title, page, address, text }) =>
      html`<li><a href="${address}">${inlineMarkdown(title)}</a> <span class="type">${page}</span><span class="about">${excerpt(text, terms)}</span></li>`,
  )}</ul>`
}
