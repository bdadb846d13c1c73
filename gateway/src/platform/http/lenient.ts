/** The part of JSON Schema that lenient reading looks at. */
interface Schema {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly enum?: readonly unknown[]
  readonly pattern?: string
  readonly minLength?: number
  readonly anyOf?: readonly Schema[]
  readonly then?: Schema
  readonly else?: Schema
  readonly [keyword: `x-${string}`]: unknown
}

const FLAGS: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [0, false],
  ['0', false],
  ['false', false],
  [1, true],
  ['1', true],
  ['true', true],
])
const NUMBER = /^-?\d{1,15}(\.\d{1,6})?$/
const DAY = /^\d{4}-\d{2}-\d{2}$/

/**
 * Rewrites alternative forms that clients send for a value (see `LENIENT_FORMS` of the contract); other forms stay
 * unchanged and are rejected. It runs only after a value has failed its check, so values in the standard form cost
 * nothing.
 */
export function readLeniently(declared: object, value: unknown): unknown {
  const schema = branchFor(declared as Schema, value)
  if (Array.isArray(value)) return readList(schema, value)
  if (typeof value === 'object' && value !== null) return readFields(schema, value as Record<string, unknown>)
  const types = [schema.type ?? []].flat()
  if (types.includes('boolean')) return FLAGS.get(value) ?? value
  if (typeof value === 'number')
    return schema['x-number-as-text'] === true && Number.isSafeInteger(value) ? String(value) : value
  if (typeof value !== 'string') return value
  if (types.includes('string'))
    return schema['x-date-time'] === true && DAY.test(value)
      ? `${value} ${schema['x-day-begins'] === true ? '00:00:00' : '23:59:59'}`
      : value
  return (types.includes('integer') || types.includes('number')) && NUMBER.test(value) ? Number(value) : value
}

/** Returns the alternative of a schema that applies to a value: never `null`, and the one for lists if it is a list. */
function branchFor(schema: Schema, value: unknown): Schema {
  const { anyOf } = schema
  if (anyOf !== undefined) return branchFor(anyOf.find(({ type }) => type !== 'null') ?? {}, value)
  const branch = Array.isArray(value) ? schema.then : schema.else
  return branch === undefined ? schema : branchFor(branch, value)
}

function readList({ items = {}, ...list }: Schema, values: unknown[]): unknown[] {
  const dropsUnknown = list['x-ignores-unknown'] === true && values.some((one) => isListed(items, one))
  let length = 0
  for (const one of values) if (!dropsUnknown || isListed(items, one)) values[length++] = readLeniently(items, one)
  values.length = length
  return values
}

/**
 * Whether an element of a list of known words is kept. Unknown words are dropped; elements of another type are errors.
 */
const isListed = ({ enum: words }: Schema, one: unknown): boolean =>
  typeof one !== 'string' || words?.includes(one) !== false

function readFields(schema: Schema, fields: Record<string, unknown>): Record<string, unknown> {
  const { properties = {}, required = [] } = schema
  if (schema['x-not-lenient'] === true) return fields
  for (const [name, other] of Object.entries((schema['x-other-names'] ?? {}) as Record<string, string>))
    if (other in fields) fields[name] ??= fields[other]
  for (const [name, property] of Object.entries(properties)) {
    const value = fields[name]
    const isAbsent = value === '' || value === null
    if (isAbsent && !required.includes(name) && !accepts(property, value)) delete fields[name]
    else if (value !== undefined) fields[name] = readLeniently(property, value)
  }
  return fields
}

/** Whether an empty value is valid as it is, such as an empty description. */
function accepts(declared: Schema, value: '' | null): boolean {
  if (value === null) return [declared, ...(declared.anyOf ?? [])].some(({ type }) => [type].flat().includes('null'))
  const { type = [], enum: words, minLength = 0, pattern, ...rest } = branchFor(declared, value)
  const hasRule = Object.keys(rest).some((keyword) => keyword.startsWith('x-') && keyword !== 'x-rule')
  return (
    [type].flat().includes('string') &&
    words === undefined &&
    minLength === 0 &&
    !hasRule &&
    (pattern === undefined || new RegExp(pattern, 'u').test(''))
  )
}
