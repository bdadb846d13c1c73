import type { Route } from '@kobo/contract'
import { exampleParameter, exampleRequest } from '../../../contract/src/openapi-examples.ts'
import { asJson, type JsonSchema, typesOf } from '../../../contract/src/openapi-schema.ts'
import type { seededRandom } from './samples.ts'

type Chance = ReturnType<typeof seededRandom>

/** A request to a route; none of it need be valid. */
export interface Fuzzed {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/** Numbers that JSON can write and JavaScript cannot: each placeholder is replaced by its text. */
const RAW: Readonly<Record<string, string>> = {
  '@huge': '1e400',
  '@low': '-1e400',
  '@long': '123456789012345678901234567890.123456789',
  '@tiny': '1e-400',
  '@zero': '-0.0',
}

const nested = (depth: number): unknown =>
  depth === 0 ? 1 : depth % 2 === 0 ? [nested(depth - 1)] : { a: nested(depth - 1) }

/** Values that an attacker would try. */
const ODD: readonly unknown[] = [
  ...Object.keys(RAW),
  ...[null, true, false, 0, 1, -1, 0.1, 1.005, 20, 1e15, 2 ** 53, -(2 ** 63), 1e308, 5e-324],
  ...[
    '',
    ' ',
    '\t',
    '0',
    '-1',
    '1e5',
    '0x10',
    '00',
    '1,000',
    'NaN',
    'null',
    'true',
    'undefined',
    '1.999',
    '9'.repeat(400),
  ],
  ...['\0', 'a\0b', '\ud83d', '\ufffe', '😀', 'e\u0301', '\u202eadO', '٣٤', '\u2028', 'ﬃ', 'İ', '\u0007'],
  ...[
    '__proto__',
    'constructor',
    'toString',
    "'; drop table merchant; --",
    '{{1}}',
    '%00',
    '../../etc/passwd',
    '<b>',
    '|',
    '\\',
  ],
  ...['2026-02-30', '0000-00-00', '9999-12-31T23:59:59Z', '275760-09-13', '-1', '8640000000000001', '03-Foo-2026'],
  ...[
    'http://',
    'https://[::1',
    'https://a@b',
    'javascript:1',
    'http://\u0660',
    '::ffff:1.2.3.4/200',
    '0.0.0.0/0',
    '@',
    'a@b@c',
  ],
  ...[
    'x'.repeat(16),
    'x'.repeat(128),
    'x'.repeat(129),
    'x'.repeat(255),
    'x'.repeat(256),
    '😀'.repeat(128),
    'x'.repeat(5_000),
  ],
  ...[[], {}, [[]], [null], [{}], { a: null }, Array(300).fill(1), nested(20), nested(40)],
  { constructor: { prototype: 1 } },
  JSON.parse('{"__proto__":{"polluted":true}}'),
]

/** Values at the limits of a schema, on both sides. */
function edges(schema: JsonSchema): readonly unknown[] {
  const {
    minLength,
    maxLength,
    minimum,
    maximum,
    maxItems,
    enum: words,
    items,
    anyOf,
    pattern,
  } = schema as JsonSchema & {
    readonly [Bound in 'minLength' | 'maxLength' | 'minimum' | 'maximum' | 'maxItems']?: number
  } & { readonly pattern?: string }
  const text = (length: number): string => 'é'.repeat(Math.min(Math.max(length, 0), 4_000))
  const digits = /\\d\{(?:\d+,)?(\d+)\}/.exec(pattern ?? '')?.[1]
  const count = Math.min(Number(maxItems ?? 20), 400)
  return [
    ...(maxLength === undefined ? [] : [text(maxLength), text(maxLength + 1)]),
    ...(minLength === undefined ? [] : [text(minLength), text(minLength - 1)]),
    ...(minimum === undefined ? [] : [minimum, minimum - 1]),
    ...(maximum === undefined ? [] : [maximum, maximum + 1]),
    ...(digits === undefined
      ? []
      : ['0'.repeat(Number(digits)), '9'.repeat(Number(digits)), '1'.repeat(Number(digits) + 1)]),
    ...(words ?? []).flatMap((word) => [word, `${word} `, String(word).toLowerCase()]),
    ...(items === undefined ? [] : [count, count + 1].map((length) => Array(length).fill(exampleRequest(items)))),
    ...(anyOf ?? []).flatMap((part) => edges(part)),
  ]
}

/** A value for a schema: mostly an invalid one, sometimes a valid one. */
function valueFor(schema: JsonSchema, random: Chance): unknown {
  const atEdge = edges(schema)
  if (atEdge.length > 0 && random.below(2) === 0) return random.oneOf(atEdge)
  return random.below(6) === 0 ? exampleRequest(schema) : random.oneOf(ODD)
}

/** Changes a few fields of a valid value, as deep as its schema goes. */
function disturbed(schema: JsonSchema, value: unknown, random: Chance): unknown {
  const fields = Object.entries(schema.properties ?? {})
  const item = schema.items
  if (Array.isArray(value) && item !== undefined && random.below(3) > 0)
    return [...value, disturbed(item, exampleRequest(item), random)]
  if (fields.length === 0 || typeof value !== 'object' || value === null || random.below(12) === 0)
    return valueFor(schema, random)
  const changed: Record<string, unknown> = { ...value }
  for (let time = random.times(3); time > 0; time--) {
    const [name, part] = random.oneOf(fields)
    if (random.below(6) === 0) delete changed[name]
    else changed[name] = disturbed(inner(part), changed[name] ?? exampleRequest(part), random)
  }
  return changed
}

/** Returns the schema of a nullable value without the null. */
const inner = (schema: JsonSchema): JsonSchema => (schema.anyOf?.[0] === undefined ? schema : inner(schema.anyOf[0]))

const isObject = (schema: JsonSchema): boolean => typesOf(schema).includes('object')

/** Bodies that are not objects, or not readable at all. */
const NO_OBJECTS = [
  'null',
  '[]',
  '7',
  '"text"',
  'true',
  '[null]',
  '{',
  '',
  '\ufeff{}',
  '{"a":1}{}',
  '[[[[[[',
  '-',
  '{"a":',
  '"\\ud83d"',
]
const TYPES = [
  'application/json',
  'application/json; charset=utf-8',
  'text/plain',
  'application/x-www-form-urlencoded',
  '',
]

/** Generates random inputs from a route's schema: `known` are facts that make some of them valid. */
export function fuzzed(route: Route, known: Readonly<Record<string, unknown>>, random: Chance): Fuzzed {
  const query = part(route.query, 'query')
  const body = part(route.body, 'body')
  const type = random.below(25) === 0 ? random.oneOf(TYPES) : 'application/json'
  return {
    path: filled(route, known, random) + (query === undefined ? '' : `?${search(query, random)}`),
    headers: {
      ...(body === undefined || type === '' ? {} : { 'content-type': type }),
      ...(random.below(10) === 0
        ? { 'idempotency-key': random.oneOf(['a', 'b', 'x'.repeat(255), 'x'.repeat(256)]) }
        : {}),
    },
    body: body === undefined ? undefined : random.below(12) === 0 ? random.oneOf(NO_OBJECTS) : written(body),
  }

  function part(declared: Route['body'], name: 'query' | 'body'): unknown {
    if (declared === undefined) return name === 'body' && random.below(8) === 0 ? {} : undefined
    const schema = asJson(declared)
    const sound = isObject(schema)
      ? { ...(exampleRequest(schema) as object), ...knownOf(schema, known) }
      : exampleRequest(schema)
    return random.below(8) === 0 ? sound : disturbed(schema, sound, random)
  }
}

/** The known facts that the schema has a field for. */
const knownOf = ({ properties = {} }: JsonSchema, known: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(known).filter(([name]) => name in properties))

/** The value as JSON, with numbers that only JSON can write. */
const written = (value: unknown): string =>
  Object.entries(RAW).reduce((text, [name, raw]) => text.replaceAll(`"${name}"`, raw), JSON.stringify(value) ?? '')

function filled({ path, params }: Route, known: Readonly<Record<string, unknown>>, random: Chance): string {
  const schemas = params === undefined ? {} : (asJson(params).properties ?? {})
  return path.replace(/:(\w+)/g, (_, name: string) => {
    const schema = schemas[name] ?? {}
    const sound = known[name] ?? exampleParameter(schema, name) ?? '1'
    return encoded(random.below(3) === 0 ? valueFor(schema, random) : sound).slice(0, 2_000) || '%20'
  })
}

const search = (query: unknown, random: Chance): string =>
  Object.entries(query ?? {})
    .flatMap(([name, value]) =>
      Array(random.below(30) === 0 ? 2 : 1).fill(`${encodeURIComponent(name)}=${encoded(value)}`),
    )
    .join('&')
    .slice(0, 6_000)

const encoded = (value: unknown): string =>
  encodeURIComponent((typeof value === 'object' ? (JSON.stringify(value) ?? '') : String(value)).toWellFormed())
