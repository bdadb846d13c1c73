import type { Route } from '@kobo/contract'
import { startOf } from '../../../kernel/texts.ts'

/** The header that lists fields the route does not know, most often typos. */
export const UNKNOWN_FIELDS_HEADER = 'kobo-unknown-fields'

const NAMED_MAX = 10
const NAME_LENGTH_MAX = 64
const NONE: readonly string[] = []

/** The part of JSON Schema that lists an object's fields. */
interface Fields {
  readonly properties?: Readonly<Record<string, unknown>>
  readonly additionalProperties?: unknown
  readonly anyOf?: readonly Fields[]
  readonly then?: Fields
  readonly else?: Fields
}

const namesOf = ({ properties = {}, anyOf = [], then: one, else: other }: Fields): string[] => [
  ...Object.keys(properties),
  ...[...anyOf, one, other].flatMap((part) => (part === undefined ? [] : namesOf(part))),
]

/** Creates a function that finds unknown fields; undefined if the route has no body or accepts any field. */
export function unknownFieldFinder({
  body,
  otherNames = {},
}: Route): ((body: unknown) => readonly string[]) | undefined {
  const schema = body as Fields | undefined
  const known = new Set(schema === undefined ? [] : [...namesOf(schema), ...Object.values(otherNames)])
  if (known.size === 0 || schema?.additionalProperties !== undefined) return undefined
  return (value) => {
    let found = NONE
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return found
    for (const name in value)
      if (!known.has(name) && found.length < NAMED_MAX) found = [...found, startOf(name, NAME_LENGTH_MAX)]
    return found
  }
}

/** Encodes the names for a header. */
export const headerOf = (names: readonly string[]): string => names.map(encodeURIComponent).join(', ')

/** Returns a warning in the response for each unknown field. */
export const warningsOf = (names: readonly string[]): readonly string[] =>
  names.map((name) => `${name} is not a field of this request, and was ignored`)
