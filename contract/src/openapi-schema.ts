import type { TSchema } from 'typebox'
import { FIELD_MEANINGS } from './field-meanings.ts'

/** The part of JSON Schema that the contract uses. */
export interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly $ref?: string
  readonly [keyword: string]: unknown
}

/** Converts a contract schema to plain JSON Schema. */
export function asJson(schema: TSchema): JsonSchema {
  const { if: _, then: one, else: other, ...rest } = schema as JsonSchema
  return one === undefined ? (schema as JsonSchema) : { ...rest, anyOf: [other as JsonSchema, one as JsonSchema] }
}

/** The contract's own keywords, translated to standard ones. */
const TRANSLATED: Readonly<Record<string, (value: unknown) => JsonSchema>> = {
  'x-amount': () => ({ exclusiveMinimum: 0, pattern: '^\\d{1,13}(\\.\\d{1,2})?$' }),
  'x-amount-or-zero': () => ({ minimum: 0, pattern: '^\\d{1,13}(\\.\\d{1,2})?$' }),
  'x-percentage': () => ({ minimum: 0, maximum: 100, pattern: '^\\d{1,3}(\\.\\d{1,4})?$' }),
  'x-moment': () => ({ description: 'Unix milliseconds or a date' }),
  'x-day': () => ({ format: 'date' }),
  'x-named-day': () => ({ pattern: '^\\d{2}-[A-Za-z]{3}-\\d{4}$' }),
  'x-date-time': () => ({ description: 'Date and time, in Lagos time unless a time zone is given' }),
  'x-url': () => ({ format: 'uri' }),
  'x-no-credentials': () => ({ description: 'No user name or password in the URL' }),
  'x-ip-range': () => ({ description: 'IP address or CIDR range' }),
  'x-rule': (rule) => ({ description: String(rule) }),
}

/** Returns a schema's name in the document, if it has one. */
export type NameOf = (schema: JsonSchema) => string | undefined

/**
 * Converts a schema for the OpenAPI document: named schemas become references, our own keywords are translated. If
 * `parent` is given (the name of the field or schema around it), fields are explained.
 */
export function documented(schema: JsonSchema, nameOf: NameOf, parent?: string): JsonSchema {
  const name = nameOf(schema)
  return name === undefined ? spelledOut(schema, nameOf, parent) : { $ref: `#/components/schemas/${name}` }
}

/** The definition of a named schema; named schemas inside it stay references. */
export function spelledOut(schema: JsonSchema, nameOf: NameOf, parent?: string): JsonSchema {
  const { description, properties, items, anyOf, ...rest } = schema
  const own = Object.entries(rest).filter(([keyword]) => !keyword.startsWith('x-'))
  const translated = Object.entries(rest).flatMap(([keyword, value]): JsonSchema[] => {
    const translate = TRANSLATED[keyword]
    return translate === undefined ? [] : [translate(value)]
  })
  const texts = [description, ...translated.map((part) => part.description)].filter((text) => text !== undefined)
  const within = (part: JsonSchema): JsonSchema => documented(part, nameOf, parent)
  const field = (part: JsonSchema, name: string): JsonSchema =>
    parent === undefined
      ? documented(part, nameOf)
      : explained(documented(part, nameOf, name), name, `${parent}.${name}`)
  return merged({
    ...Object.fromEntries(own),
    ...Object.assign({}, ...translated),
    ...(texts.length === 0 ? {} : { description: sentence([...new Set(texts)].join('; ')) }),
    ...(properties === undefined ? {} : { properties: mapValues(properties, field) }),
    ...(items === undefined ? {} : { items: within(items) }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(within) }),
  })
}

/** Matches descriptions that give only the format of a value. */
const FORMAT = /^(\d|At most|Naira($|,)|An? |Unix|True or false|Percentage|Yyyy|Dd-|Date and time|Defaults|Null )/

/** Whether a description says what a field means. */
export const explains = (description: string | undefined): boolean =>
  description !== undefined && !FORMAT.test(description)

/** Adds the meaning of a field to its description, unless the description already explains it. */
export function explained(field: JsonSchema, name: string, path = name): JsonSchema {
  const meaning = FIELD_MEANINGS[path] ?? FIELD_MEANINGS[name]
  const { description } = field
  if (meaning === undefined || explains(description)) return field
  return { ...field, description: sentence(description === undefined ? meaning : `${meaning} ${description}.`) }
}

/** Merges "A or null" into one schema with two types, which reads better than a union. */
function merged(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema
  const [one, other, ...more] = anyOf ?? []
  if (one?.type === undefined || other?.type !== 'null' || more.length > 0) return schema
  return {
    ...rest,
    ...one,
    type: [...typesOf(one), 'null'],
    ...(one.enum === undefined ? {} : { enum: [...one.enum, null] }),
  }
}

export const typesOf = ({ type }: JsonSchema): readonly string[] => (type === undefined ? [] : [type].flat())

/** Capitalises the first letter. */
export const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

export const mapValues = <From, To>(
  record: Readonly<Record<string, From>>,
  change: (value: From, key: string) => To,
): Record<string, To> => Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]))
