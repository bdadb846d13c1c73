/** Why a text cannot be read as XML. */
export class XmlError extends Error {}

/** An element. Its name has no namespace prefix. */
export interface XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  /** The text directly in the element. */
  readonly text: string
  readonly children: readonly XmlElement[]
}

interface OpenElement extends XmlElement {
  text: string
  readonly children: OpenElement[]
}

const DEPTH_MAX = 40
/** The most elements within one requested element, which is held in memory. */
const ELEMENTS_MAX = 200_000
const TEXT_LENGTH_MAX = 10_000
const ATTRIBUTES_MAX = 50

const NAME = /^[\p{L}_][\p{L}\p{N}_.:-]*$/u
const ATTRIBUTE = /\s+([^\s=/>]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y
const ENTITY = /&(#\d{1,7}|#x[0-9a-f]{1,6}|\w{1,10})?;?/gi
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

/** A requested element and its parent: the parent's name, and its number among the elements with that name. */
export interface Found {
  readonly element: XmlElement
  readonly parent: string
  readonly parentNumber: number
}

/**
 * Reads a document and yields the outermost elements with the given names as they end; nothing else is kept. Document
 * types are rejected, so there are no entities except XML's five, and nothing is fetched or expanded.
 */
export function* elementsIn(text: string, names: ReadonlySet<string>): Generator<Found> {
  const path: string[] = []
  const counts = new Map<string, number>()
  const stack: OpenElement[] = []
  let elements = 0
  let seen = false
  for (const token of tokensOf(text)) {
    if (token.kind === 'text') {
      const inner = stack.at(-1)
      if (inner !== undefined) appendTo(inner, token.text)
      else if (path.length === 0 && token.text.trim() !== '') throw new XmlError('There is text outside the document.')
      continue
    }
    if (token.kind === 'close') {
      if (path.pop() !== token.name) throw new XmlError(`The element ${token.name} is closed but was not opened.`)
      const done = stack.pop()
      if (done !== undefined && stack.length === 0) {
        const parent = path.at(-1) ?? ''
        yield { element: done, parent, parentNumber: counts.get(parent) ?? 0 }
      }
      continue
    }
    if (path.length === 0 && seen) throw new XmlError('The file has more than one document.')
    seen = true
    if (path.length >= DEPTH_MAX) throw new XmlError(`Elements may be nested at most ${DEPTH_MAX} deep.`)
    path.push(token.name)
    counts.set(token.name, (counts.get(token.name) ?? 0) + 1)
    if (stack.length === 0 && !names.has(token.name)) continue
    if (stack.length === 0) elements = 0
    if (++elements > ELEMENTS_MAX) throw new XmlError(`An entry may have at most ${ELEMENTS_MAX} elements.`)
    const element: OpenElement = { name: token.name, attributes: token.attributes, text: '', children: [] }
    stack.at(-1)?.children.push(element)
    stack.push(element)
  }
  if (path.length > 0) throw new XmlError(`The document ends inside ${path.join('/')}.`)
  if (!seen) throw new XmlError('The file has no XML document.')
}

function appendTo(element: OpenElement, text: string): void {
  if (element.text.length + text.length > TEXT_LENGTH_MAX)
    throw new XmlError(`A text may have at most ${TEXT_LENGTH_MAX} characters.`)
  element.text += text
}

type Token =
  | { readonly kind: 'open'; readonly name: string; readonly attributes: Readonly<Record<string, string>> }
  | { readonly kind: 'close'; readonly name: string }
  | { readonly kind: 'text'; readonly text: string }

/** The tags and texts of a document. A self-closing element is opened and closed. */
function* tokensOf(text: string): Generator<Token> {
  let at = text.startsWith('\uFEFF') ? 1 : 0
  while (at < text.length) {
    if (text[at] !== '<') {
      const next = text.indexOf('<', at)
      const end = next === -1 ? text.length : next
      yield { kind: 'text', text: resolved(text.slice(at, end)) }
      at = end
    } else if (text.startsWith('<!--', at)) at = after(text, '-->', at + 4)
    else if (text.startsWith('<![CDATA[', at)) {
      const end = after(text, ']]>', at)
      yield { kind: 'text', text: text.slice(at + 9, end - 3) }
      at = end
    } else if (text.startsWith('<?', at)) at = after(text, '?>', at + 2)
    else if (text.startsWith('<!', at))
      throw new XmlError('Documents with a document type declaration are not accepted.')
    else {
      const end = after(text, '>', at)
      const tag = text.slice(at + 1, end - 1)
      if (tag.startsWith('/')) yield { kind: 'close', name: localName(tag.slice(1).trimEnd()) }
      else {
        const isEmpty = tag.endsWith('/')
        const [written = ''] = /^[^\s/]*/.exec(tag) ?? []
        const name = localName(written)
        yield { kind: 'open', name, attributes: attributesOf(isEmpty ? tag.slice(0, -1) : tag, written.length) }
        if (isEmpty) yield { kind: 'close', name }
      }
      at = end
    }
  }
}

function after(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from)
  if (at === -1) throw new XmlError('The document ends inside a tag.')
  return at + mark.length
}

function localName(name: string): string {
  if (!NAME.test(name)) throw new XmlError('An element name is not valid XML.')
  return name.slice(name.indexOf(':') + 1)
}

function attributesOf(tag: string, from: number): Readonly<Record<string, string>> {
  const attributes: Record<string, string> = Object.create(null)
  ATTRIBUTE.lastIndex = from
  let at = from
  for (let count = 0; ; count++) {
    const match = ATTRIBUTE.exec(tag)
    if (match === null) break
    if (count >= ATTRIBUTES_MAX) throw new XmlError(`An element may have at most ${ATTRIBUTES_MAX} attributes.`)
    const [, name = '', double, single] = match
    attributes[name.slice(name.indexOf(':') + 1)] = resolved(double ?? single ?? '')
    at = ATTRIBUTE.lastIndex
  }
  if (tag.slice(at).trim() !== '') throw new XmlError('An element has a malformed attribute.')
  return attributes
}

/** Text with entities resolved: XML's five, and characters by number. */
function resolved(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(ENTITY, (whole, name: string | undefined) => {
    const known = name === undefined || !whole.endsWith(';') ? undefined : characterOf(name)
    if (known === undefined) throw new XmlError('Documents with custom entities are not accepted.')
    return known
  })
}

function characterOf(name: string): string | undefined {
  if (!name.startsWith('#')) return Object.hasOwn(ENTITIES, name) ? ENTITIES[name] : undefined
  const code = name[1] === 'x' || name[1] === 'X' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
  return code > 0 && code <= 0x10_ff_ff && (code < 0xd8_00 || code > 0xdf_ff) ? String.fromCodePoint(code) : undefined
}

/** The first element at a path below the given element. */
export function childOf(element: XmlElement | undefined, ...path: readonly string[]): XmlElement | undefined {
  let found = element
  for (const name of path) found = found?.children.find((child) => child.name === name)
  return found
}

/** The trimmed text of the first element at a path; undefined if there is none. */
export const textOf = (element: XmlElement | undefined, ...path: readonly string[]): string | undefined =>
  childOf(element, ...path)?.text.trim() || undefined
