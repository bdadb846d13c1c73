import { fieldRefusal } from '@kobo/contract'
import { Ajv, type ErrorObject, type SchemaValidateFunction, type ValidateFunction } from 'ajv'
import { fromDateTime, fromDay, fromMoment, fromNamedDay } from '../../kernel/dates.ts'
import { type Refusal, refusal } from '../../kernel/errors.ts'
import { fromNaira, fromNairaOrZero } from '../../kernel/money.ts'
import { fromPercentage } from '../../kernel/percentage.ts'
import { startOf } from '../../kernel/texts.ts'
import { isAddressRange } from './ip-addresses.ts'
import { NESTING_MAX } from './json-bounds.ts'
import { readLeniently } from './lenient.ts'
import { findWrongMetaData, type Wrong } from './meta-data.ts'

/** Field names are cut to this length in errors. No real field has a longer name. */
const FIELD_LENGTH_MAX = 200

/** Creates an error 400 with the field's dotted path and the route's own code for such errors. */
export const malformed = (field: string, rule: string, code?: string): Refusal =>
  refusal(fieldRefusal(code))(startOf(field, FIELD_LENGTH_MAX), rule)

interface Rule {
  /** The types that the rule checks. Other types are rejected by the schema's `type`, which is checked later. */
  readonly type: ('number' | 'string')[]
  readonly rule: string
  readonly holds: (value: never) => boolean
}

/**
 * Valid host characters. Other characters also pass URL parsing, but could inject into a header that contains the host.
 */
const HOST = /^([a-z0-9._-]+|\[[0-9a-f:.]+\])$/

/** Matches URLs that are valid without slow parsing, as nearly all are: a plain host and printable characters. */
const PLAIN_URL = /^https?:\/\/(?:[a-z0-9-]+\.)*[a-z]{2,}(?:[/?#][!-~]*)?$/

/** Rules that JSON Schema lacks, by the contract's keyword. */
const RULES: Readonly<Record<string, Rule>> = {
  'x-amount': {
    type: ['number', 'string'],
    rule: 'must be an amount in naira above zero, with at most 13 digits and 2 decimals',
    holds: (value: number | string) => fromNaira(value) !== undefined,
  },
  'x-amount-or-zero': {
    type: ['number', 'string'],
    rule: 'must be an amount in naira, with at most 13 digits and 2 decimals',
    holds: (value: number | string) => fromNairaOrZero(value) !== undefined,
  },
  'x-percentage': {
    type: ['number', 'string'],
    rule: 'must be a percentage from 0 to 100 with at most 4 decimals',
    holds: (value: number | string) => fromPercentage(value) !== undefined,
  },
  'x-moment': {
    type: ['number', 'string'],
    rule: 'must be Unix milliseconds or a date',
    holds: (value: number | string) => fromMoment(value) !== undefined,
  },
  'x-day': {
    type: ['string'],
    rule: 'must be a date like 1994-09-07',
    holds: (value: string) => fromDay(value) !== undefined,
  },
  'x-named-day': {
    type: ['string'],
    rule: 'must be a date like 03-Oct-1993',
    holds: (value: string) => fromNamedDay(value) !== undefined,
  },
  'x-date-time': {
    type: ['string'],
    rule: 'must be a date and time like 2026-03-01 10:30:00',
    holds: (value: string) => fromDateTime(value) !== undefined,
  },
  'x-url': {
    type: ['string'],
    rule: 'must be an http or https URL',
    holds: (value: string) => PLAIN_URL.test(value) || HOST.test(URL.parse(value)?.hostname ?? ''),
  },
  'x-no-credentials': {
    type: ['string'],
    rule: 'must not contain a user name or password',
    holds: (value: string) => {
      if (PLAIN_URL.test(value)) return true
      const url = URL.parse(value)
      return url === null || (url.username === '' && url.password === '')
    },
  },
  'x-ip-range': {
    type: ['string'],
    rule: 'must be an IP address or a CIDR range',
    holds: (value: string) => isAddressRange(value),
  },
}

function checker(coerceTypes: boolean, allErrors = false): Ajv {
  const ajv = new Ajv({ coerceTypes, useDefaults: true, strict: false, verbose: true, allErrors })
  for (const [keyword, { type, rule, holds }] of Object.entries(RULES))
    addRule(ajv, keyword, type, (value) => (holds(value as never) ? undefined : { rule }))
  addRule(ajv, 'x-meta-data', ['object'], (value) => findWrongMetaData(value as object))
  return ajv
}

function addRule(
  ajv: Ajv,
  keyword: string,
  type: ('number' | 'string' | 'object')[],
  findWrong: (value: unknown) => Wrong | undefined,
): void {
  const validate: SchemaValidateFunction = (_schema, value, _parent, place) => {
    const wrong = findWrong(value)
    if (wrong === undefined) return true
    const instancePath = `${place?.instancePath ?? ''}${wrong.at ?? ''}`
    validate.errors = [{ keyword, message: wrong.rule, params: {}, instancePath }]
    return false
  }
  ajv.addKeyword({ keyword, type, validate })
}

const strict = checker(false)
/** Checks queries and paths, whose numbers and booleans are texts and are converted. */
const coercing = checker(true)

/** Collects all errors and not only the first. Used only for small values. */
const thorough = checker(false, true)

/**
 * Creates a check, compiled on first use, that returns what is wrong with which field, or undefined. A lenient check
 * first rewrites alternative forms that clients send. A field marked `x-waived-by` may be absent if the caller has that
 * waiver.
 */
export function compileCheck(
  schema: object,
  part: 'body' | 'query' | 'params',
  code?: string,
  isLenient = false,
): (value: unknown, waivers?: readonly string[]) => Error | undefined {
  let validate: ValidateFunction | undefined
  let findAll: ValidateFunction | undefined
  return (value, waivers = NO_WAIVERS) => {
    validate ??= (part === 'body' ? strict : coercing).compile(schema)
    if (validate(value)) return undefined
    // Lenient reading changes fields in place. If it returns another value, the top-level value has the wrong type.
    if (isLenient && readLeniently(schema, value) === value && validate(value)) return undefined
    const [error] = validate.errors ?? []
    if (error === undefined) return malformed(part, 'is malformed', code)
    const first = describe(error, part)
    if (part !== 'body' || !isSmall(value)) return malformed(...first, code)
    findAll ??= thorough.compile(schema)
    findAll(value)
    const errors = (findAll.errors ?? [error]).filter((one) => !isWaived(one, waivers))
    if (errors.length === 0) return undefined
    const all = new Map([
      ...(isWaived(error, waivers) ? [] : [first]),
      ...errors.filter(isCertain).map((other) => describe(other, part)),
    ])
    const [[field, rule] = first, ...others] = [...all].slice(0, ERRORS_SHOWN_MAX)
    return malformed(field, [rule, ...others.map((other) => other.join(' '))].join('; '), code)
  }
}

const NO_WAIVERS: readonly string[] = []

/** Whether an error is about a missing field that this caller may leave out. */
const isWaived = ({ keyword, params, parentSchema }: ErrorObject, waivers: readonly string[]): boolean =>
  keyword === 'required' &&
  waivers.includes(parentSchema?.['properties']?.[String(params['missingProperty'])]?.['x-waived-by'])

const ERRORS_SHOWN_MAX = 10
/** A larger value may be a batch, and finding all its errors would take too long. */
const SMALL_VALUES_MAX = 200

function isSmall(value: unknown): boolean {
  let left = SMALL_VALUES_MAX
  const walk = (one: unknown): void => {
    if (--left < 0 || typeof one !== 'object' || one === null) return
    for (const name in one) if (left >= 0) walk((one as Record<string, unknown>)[name])
  }
  walk(value)
  return left >= 0
}

/**
 * Whether an error is outside alternatives (anyOf, if/then). Within one, the caller may have meant another alternative.
 */
const isCertain = ({ schemaPath }: ErrorObject): boolean => !/\/(anyOf|oneOf|if|then|else)\b/.test(schemaPath)

/** Returns the field of an error and the rule that it violates. */
function describe(error: ErrorObject, part: string): [field: string, rule: string] {
  const at = fieldName(error.instancePath)
  if (error.keyword === 'required') return [joined(at, String(error.params['missingProperty'])), 'is required']
  if (error.keyword === 'additionalProperties')
    return [joined(at, String(error.params['additionalProperty'])), 'is not a known field']
  return [at === '' ? part : at, ruleOf(error)]
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** The texts of rules that have a limit. */
const LIMIT_RULES: Readonly<Partial<Record<string, (limit: number) => string>>> = {
  minLength: (limit) => (limit === 1 ? 'must not be empty' : `must have at least ${counted(limit, 'character')}`),
  maxLength: (limit) => `must have at most ${counted(limit, 'character')}`,
  minItems: (limit) => `must have at least ${counted(limit, 'item')}`,
  maxItems: (limit) => `must have at most ${counted(limit, 'item')}`,
  maxProperties: (limit) => `must have at most ${limit} properties`,
  minimum: (limit) => `must be at least ${limit}`,
  maximum: (limit) => `must be at most ${limit}`,
}

function ruleOf({ keyword, params, message, parentSchema, instancePath }: ErrorObject): string {
  const stated = parentSchema?.['x-rule']
  if (keyword === 'pattern' && typeof stated === 'string') return `must be ${stated}`
  if (instancePath === '' && keyword === 'type') return `must be a JSON ${params['type']}`
  if (keyword === 'enum') return `must be one of ${params['allowedValues'].join(', ')}`
  return LIMIT_RULES[keyword]?.(Number(params['limit'])) ?? message ?? 'is malformed'
}

/** Converts the JSON pointer `/transactionList/2/amount` to `transactionList[2].amount`. */
function fieldName(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, step) => (/^\d+$/.test(step) ? `${path}[${step}]` : joined(path, step)), '')
}

const joined = (path: string, step: string): string => (path === '' ? step : `${path}.${step}`)

/** Rejects a query with invalid escapes, which the framework would pass on undecoded. */
export function checkEncoding(url: string, code?: string): void {
  const start = url.indexOf('?')
  if (start < 0 || !url.includes('%', start)) return
  try {
    decodeURIComponent(url.slice(start))
  } catch {
    throw malformed('query', 'contains an invalid percent escape: encode % as %25', code)
  }
}

/** Rejects texts that cannot be stored (NUL, half surrogates) and values nested too deeply. */
export function checkTexts(value: unknown, code?: string, path = '', depth = 0): void {
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed())
      throw malformed(
        path === '' ? 'body' : path,
        'contains a character that is not allowed (NUL or a lone surrogate)',
        code,
      )
    return
  }
  if (typeof value !== 'object' || value === null) return
  if (depth >= NESTING_MAX) throw malformed(path, `must be nested at most ${NESTING_MAX} levels deep`, code)
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) checkTexts(value[i], code, `${path}[${i}]`, depth + 1)
    return
  }
  for (const key in value) {
    checkTexts(key, code, path, depth)
    checkTexts((value as Record<string, unknown>)[key], code, joined(path, key), depth + 1)
  }
}
