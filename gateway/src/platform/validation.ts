import { fieldRefusal } from '@kobo/contract'
import { Ajv, type ErrorObject, type SchemaValidateFunction, type ValidateFunction } from 'ajv'
import { fromDateTime, fromDay, fromMoment, fromNamedDay } from '../kernel/dates.ts'
import { type Refusal, refusal } from '../kernel/errors.ts'
import { fromNaira, fromNairaOrZero } from '../kernel/money.ts'
import { fromPercentage } from '../kernel/percentage.ts'
import { isAddressRange } from './addresses.ts'
import { NESTING_MAX } from './json-bounds.ts'
import { findWrongMetaData, type Wrong } from './meta-data.ts'

/** A longer name was made up by the caller: what it starts with is enough to find it. */
const FIELD_LENGTH_MAX = 200

/** 400, naming the field by its dotted path, under the code that the route gives to such refusals. */
export const malformed = (field: string, rule: string, code?: string): Refusal =>
  refusal(fieldRefusal(code))(field.slice(0, FIELD_LENGTH_MAX), rule)

interface Rule {
  /** Values of other types are left to the schema's `type`, which is checked later. */
  readonly type: ('number' | 'string')[]
  readonly rule: string
  readonly holds: (value: never) => boolean
}

/** What a host may hold. Others parse as well, but would mean something else in a header that names them. */
const HOST = /^([a-z0-9._-]+|\[[0-9a-f:.]+\])$/

/**
 * An address as nearly all are, sound beyond doubt without being taken apart, which takes long: a host of plain labels, of
 * which the last is a word, and behind it whatever is printable.
 */
const PLAIN_URL = /^https?:\/\/(?:[a-z0-9-]+\.)*[a-z]{2,}(?:[/?#][!-~]*)?$/

/** Rules that JSON Schema has no word for, by the keyword that the contract uses. */
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
    rule: 'must be a date as 1994-09-07',
    holds: (value: string) => fromDay(value) !== undefined,
  },
  'x-named-day': {
    type: ['string'],
    rule: 'must be a date as 03-Oct-1993',
    holds: (value: string) => fromNamedDay(value) !== undefined,
  },
  'x-date-time': {
    type: ['string'],
    rule: 'must be a date and time as 2026-03-01 10:30:00',
    holds: (value: string) => fromDateTime(value) !== undefined,
  },
  'x-url': {
    type: ['string'],
    rule: 'must be an http or https address',
    holds: (value: string) => PLAIN_URL.test(value) || HOST.test(URL.parse(value)?.hostname ?? ''),
  },
  'x-no-credentials': {
    type: ['string'],
    rule: 'must not hold a user name or a password',
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
/** Query and path are texts on the wire, so their numbers and booleans are read from text. */
const reading = checker(true)

/** Stops at nothing: asked where something is wrong, of small values only. */
const thorough = checker(false, true)

/** A check, made when it is first needed: returns what is wrong, named by field, or undefined. */
export function compileCheck(
  schema: object,
  part: 'body' | 'query' | 'params',
  code?: string,
): (value: unknown) => Error | undefined {
  let validate: ValidateFunction | undefined
  let findAll: ValidateFunction | undefined
  return (value) => {
    validate ??= (part === 'body' ? strict : reading).compile(schema)
    if (validate(value)) return undefined
    const [error] = validate.errors ?? []
    if (error === undefined) return malformed(part, 'is malformed', code)
    const first = describe(error, part)
    if (part !== 'body' || !isSmall(value)) return malformed(...first, code)
    findAll ??= thorough.compile(schema)
    findAll(value)
    const all = new Map([first, ...(findAll.errors ?? []).filter(isCertain).map((other) => describe(other, part))])
    const [[field, rule] = first, ...others] = [...all].slice(0, WRONGS_TOLD_MAX)
    return malformed(field, [rule, ...others.map((other) => other.join(' '))].join('; '), code)
  }
}

const WRONGS_TOLD_MAX = 10
/** A value with more inside may be a batch: to find all that is wrong in it would take long. */
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

/** What stands in one of several shapes is wrong only if that shape was meant. */
const isCertain = ({ schemaPath }: ErrorObject): boolean => !/\/(anyOf|oneOf|if|then|else)\b/.test(schemaPath)

/** The field that is wrong, and the rule that it breaks. */
function describe(error: ErrorObject, part: string): [field: string, rule: string] {
  const at = fieldName(error.instancePath)
  if (error.keyword === 'required') return [joined(at, String(error.params['missingProperty'])), 'is required']
  if (error.keyword === 'additionalProperties')
    return [joined(at, String(error.params['additionalProperty'])), 'is not known']
  return [at === '' ? part : at, ruleOf(error)]
}

function ruleOf({ keyword, params, message, parentSchema, instancePath }: ErrorObject): string {
  const stated = parentSchema?.['x-rule']
  if (keyword === 'pattern' && typeof stated === 'string') return `must be ${stated}`
  if (instancePath === '' && keyword === 'type') return `must be a JSON ${params['type']}`
  if (keyword === 'enum') return `must be one of ${params['allowedValues'].join(', ')}`
  return message ?? 'is malformed'
}

/** `/transactionList/2/amount` is `transactionList[2].amount`. */
function fieldName(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, step) => (/^\d+$/.test(step) ? `${path}[${step}]` : joined(path, step)), '')
}

const joined = (path: string, step: string): string => (path === '' ? step : `${path}.${step}`)

/** Refuses a query whose escapes are not text; the framework would hand them on undecoded. */
export function checkEncoding(url: string, code?: string): void {
  const start = url.indexOf('?')
  if (start < 0 || !url.includes('%', start)) return
  try {
    decodeURIComponent(url.slice(start))
  } catch {
    throw malformed('query', 'holds a % that does not escape a character', code)
  }
}

/** Refuses what no text field may hold (NUL, half a character) and what is nested too deep to handle. */
export function checkTexts(value: unknown, code?: string, path = '', depth = 0): void {
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed())
      throw malformed(path === '' ? 'body' : path, 'holds a character that is not allowed', code)
    return
  }
  if (typeof value !== 'object' || value === null) return
  if (depth >= NESTING_MAX) throw malformed(path, `is nested deeper than ${NESTING_MAX} levels`, code)
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) checkTexts(value[i], code, `${path}[${i}]`, depth + 1)
    return
  }
  for (const key in value) {
    checkTexts(key, code, path, depth)
    checkTexts((value as Record<string, unknown>)[key], code, joined(path, key), depth + 1)
  }
}
