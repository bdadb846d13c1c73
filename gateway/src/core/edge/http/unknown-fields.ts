import type { Route } from '@kobo/contract'

/** The header that names the fields of a request that the route does not know: most often a slip of the pen. */
export const UNKNOWN_FIELDS_HEADER = 'kobo-unknown-fields'

const NAMED_MAX = 10
const NAME_LENGTH_MAX = 64
const NONE: readonly string[] = []

/** The part of JSON Schema that says which fields an object has. */
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

/** Makes what finds the fields of a body that a route does not know; undefined where it has none, or takes any. */
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
      if (!known.has(name) && found.length < NAMED_MAX) found = [...found, name.slice(0, NAME_LENGTH_MAX)]
    return found
  }
}

/** The names as a header holds them: whatever stands in them. */
export const headerOf = (names: readonly string[]): string => names.map(encodeURIComponent).join(', ')

/** The same for a developer who reads the answer. */
export const warningsOf = (names: readonly string[]): readonly string[] =>
  names.map((name) => `${name} is not a field of this request, and was ignored`)
