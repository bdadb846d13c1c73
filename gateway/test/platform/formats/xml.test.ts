import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { SaxesParser } from 'saxes'
import { elementsIn, type XmlElement, XmlError } from '../../../src/platform/formats/xml.ts'

const ROOT = 'root'
const ours = (text: string): XmlElement | undefined => [...elementsIn(text, new Set([ROOT]))][0]?.element

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

/** Reads a document by an independent parser into the same tree. */
function theirs(text: string): XmlElement | undefined {
  interface Open extends XmlElement {
    text: string
    readonly children: Open[]
  }
  const path: Open[] = []
  let root: Open | undefined
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => {
    const named = Object.entries(attributes).map(([key, value]) => [localName(key), value])
    const element: Open = { name: localName(name), attributes: Object.fromEntries(named), text: '', children: [] }
    path.at(-1)?.children.push(element)
    path.push(element)
    root ??= element
  })
  const append = (more: string): void => {
    const inner = path.at(-1)
    if (inner !== undefined) inner.text += more
  }
  parser.on('text', append)
  parser.on('cdata', append)
  parser.on('closetag', () => {
    path.pop()
  })
  parser.write(text).close()
  return root
}

/** Our attributes have no prototype. */
const plain = (element: XmlElement | undefined): unknown => JSON.parse(JSON.stringify(element ?? null))

const name = fc.stringMatching(/^(?:[a-z]{1,3}:)?[A-Za-z_][\w.-]{0,8}$/)
const letters = fc.string({ unit: fc.constantFrom(...'abcXYZ 019.,:;()[]{}"\'&<>₦ẹ́ọ\n') })
const escaped = (text: string): string =>
  text.replace(
    /[&<>"']/g,
    (mark) => ({ '&': '&amp;', '<': '&lt;', '>': '&#62;', '"': '&quot;', "'": '&#x27;' })[mark] ?? '',
  )

const attributes = fc
  .uniqueArray(fc.tuple(name, letters), { maxLength: 4, selector: ([key]) => localName(key) })
  .map((pairs) => pairs.map(([key, value]) => ` ${key}="${escaped(value.replaceAll('\n', ' '))}"`).join(''))
const inner = fc.oneof(
  letters.map(escaped),
  letters.map((text) => `<![CDATA[${text.replaceAll(']]>', '')}]]>`),
  letters.map((text) => `<!--${text.replaceAll('-', '')}-->`),
  fc.constant('<?note it is passed over?>'),
)
const { content } = fc.letrec<{ content: string; element: string }>((tie) => ({
  content: fc
    .array(fc.oneof({ depthSize: 'small' }, inner, tie('element')), { maxLength: 4 })
    .map((all) => all.join('')),
  element: fc
    .tuple(name, attributes, tie('content'))
    .map(([tag, given, text]) => (text === '' ? `<${tag}${given}/>` : `<${tag}${given}>${text}</${tag} >`)),
}))

test('an independent XML parser reads the same from a document', () => {
  fc.assert(
    fc.property(attributes, content, (given, text) => {
      const document = `<?xml version="1.0" encoding="UTF-8"?>\n<${ROOT}${given}>${text}</${ROOT}>\n`
      // Prefixes are names like any other to both.
      assert.deepEqual(plain(ours(document)), plain(theirs(document)), document)
    }),
    { numRuns: 500 },
  )
})

test('documents that an independent XML parser rejects are rejected here too', () => {
  for (const document of [
    '',
    'text',
    '<root>',
    '<root></other>',
    '<root><a></root></a>',
    '<root/><root/>',
    'text<root/>',
    '<root/>text',
    '<root a=1/>',
    '<root a/>',
    '<root a="<"/>',
    '<root a="1/>',
    '<root>&unknown;</root>',
    '<root>&#0;</root>',
    '<root>&#xD800;</root>',
    '<root>& </root>',
    '<root><![CDATA[</root>',
    '<root><!-- </root>',
    '<root><1/></root>',
    '</root>',
    '< root/>',
  ]) {
    assert.throws(() => theirs(document), `the other parser reads ${document}`)
    assert.throws(() => ours(document), XmlError, document)
  }
})
