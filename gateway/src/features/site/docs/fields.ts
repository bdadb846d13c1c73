import type { JsonSchema } from '@kobo/contract/openapi'
import { type Html, html } from '../../../platform/formats/html.ts'
import { type Document, resolved } from './document.ts'
import { inlineMarkdown } from './markdown.ts'

/** The maximum nesting, deeper than anything in the contract. */
const DEPTH_MAX = 6

/** Describes a value's type in a few words: `text or null`, `list of objects`. */
function typeOf(document: Document, schema: JsonSchema): string {
  const { type, anyOf, items, enum: values } = resolved(document, 'schemas', schema)
  if (values !== undefined) return values.map(String).join(', ')
  if (anyOf !== undefined) return anyOf.map((part) => typeOf(document, part)).join(' or ')
  const names = [type ?? 'anything'].flat().map((name) => WORDS[name] ?? name)
  const words = names.join(' or ')
  return items === undefined ? words : words.replace('list', `list of ${typeOf(document, items)}`)
}

const WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  boolean: 'true or false',
  array: 'list',
}

/** Finds the object inside a schema: the schema itself, a list's item, or one of several alternatives. */
function objectIn(document: Document, schema: JsonSchema): JsonSchema | undefined {
  const known = resolved(document, 'schemas', schema)
  if (known.properties !== undefined) return known
  if (known.items !== undefined) return objectIn(document, known.items)
  return known.anyOf?.map((part) => objectIn(document, part)).find((part) => part !== undefined)
}

/** Shows the fields of an object as a list, nested ones indented. */
export function fieldList(document: Document, schema: JsonSchema, depth = 0): Html | undefined {
  const { properties = {}, required = [] } = objectIn(document, schema) ?? {}
  const fields = Object.entries(properties)
  if (fields.length === 0 || depth > DEPTH_MAX) return undefined
  return html`<ul class="fields">${fields.map(
    ([name, field]) =>
      html`<li><code>${name}</code> <span class="type">${typeOf(document, field)}</span>${
        required.includes(name) ? html` <span class="required">required</span>` : ''
      }${aboutField(document, field)}${fieldList(document, field, depth + 1)}</li>`,
  )}</ul>`
}

function aboutField(document: Document, schema: JsonSchema): Html | undefined {
  const { description, maxLength } = resolved(document, 'schemas', schema)
  const bound = typeof maxLength === 'number' && !/\d/.test(description ?? '') ? `at most ${maxLength} characters` : ''
  const text = [description?.replace(/\.$/, ''), bound].filter((part) => part).join('; ')
  return text === '' ? undefined : html`<span class="about">${inlineMarkdown(text)}</span>`
}
