import {
  isLoggedRequest,
  isPersonalData,
  personalFields,
  personalJsonSchema,
  personRefusals,
  type Route,
} from '@kobo/contract'
import { refusals } from '../../../kernel/errors.ts'
import type { SignedIn } from '../../sessions/index.ts'
import { maskRequest } from './mask-logged-request.ts'
import { maskAll, maskJson } from './masks.ts'

const { personalDataNotAllowed } = refusals(personRefusals)

type Schema = Route['reply']

/** The keywords of JSON Schema that contain other schemas. */
interface Nested {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly then?: Schema
  readonly else?: Schema
}

type Mask = (value: unknown) => unknown

/** Whether a user or a restricted key may see customers' personal data in a route's responses. */
export function maySeeCustomers({ may }: Pick<SignedIn, 'may'>, { person }: Route): boolean {
  const isOperators = typeof person === 'string' && person.startsWith('operator.')
  return may(isOperators ? 'operator.payer.read' : 'payer.read')
}

const masks = new WeakMap<Schema, Mask>()

/** Masks those fields of a value that the schema marks as personal data. */
export function masked<Value>(schema: Schema, value: Value): Value {
  const mask = masks.get(schema) ?? maskOf(schema) ?? ((same) => same)
  masks.set(schema, mask)
  return mask(value) as Value
}

/**
 * Returns a route's response as the caller may see it: customers' data is masked for a user or a restricted key without
 * the permission.
 */
export const seenBy = <Value>(
  caller: Pick<SignedIn, 'may'> | undefined,
  route: Route,
  value: Value,
  schema: Schema = route.reply,
): Value => (caller === undefined || maySeeCustomers(caller, route) ? value : masked(schema, value))

/** Rejects a search by personal data, because a caller who may not see the data could find it by trying values. */
export function checkPersonalQuery({ query: schema }: Route, query: unknown): void {
  for (const name of personalFields(schema))
    if ((query as Readonly<Record<string, unknown>>)[name] !== undefined) throw personalDataNotAllowed(name)
}

/** Creates the mask of a schema; undefined if nothing in it is personal data. */
function maskOf(schema: Schema): Mask | undefined {
  if (isPersonalData(schema)) return maskAll
  if (isLoggedRequest(schema)) return maskRequest
  const schemaOf = personalJsonSchema(schema)
  if (schemaOf !== undefined)
    return (text) =>
      maskJson(text, (value) => {
        const inner = schemaOf(value)
        return inner === undefined ? maskAll(value) : masked(inner, value)
      })
  const { properties = {}, items, anyOf = [], then: one, else: other } = schema as Nested
  const fields = Object.entries(properties).flatMap(([name, field]) => {
    const mask = maskOf(field)
    return mask === undefined ? [] : [[name, mask] as const]
  })
  const ofItems = items === undefined ? undefined : maskOf(items)
  const others = [...anyOf, one, other].flatMap((part) => (part === undefined ? [] : (maskOf(part) ?? [])))
  if (fields.length === 0 && ofItems === undefined && others.length === 0) return undefined
  return (value) => {
    if (typeof value !== 'object' || value === null) return others.length === 0 ? value : maskAll(value)
    const maskedInside: unknown = Array.isArray(value)
      ? ofItems === undefined
        ? value
        : value.map(ofItems)
      : { ...value, ...maskedFields(fields, value) }
    return others.reduce((part, mask) => mask(part), maskedInside)
  }
}

const maskedFields = (fields: readonly (readonly [string, Mask])[], value: object): object =>
  Object.fromEntries(
    fields.flatMap(([name, mask]) => {
      const inner = (value as Readonly<Record<string, unknown>>)[name]
      return inner === undefined ? [] : [[name, mask(inner)]]
    }),
  )
