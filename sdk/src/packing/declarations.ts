import { EVENTS, REFUSALS, type Route } from '@kobo/contract'
import type { TSchema } from 'typebox'
import { asJson, type JsonSchema, sentence, typesOf } from '../../../contract/src/openapi-schema.ts'
import { CALLS, type Call } from '../calls.ts'

/** Writes out the types of `src/api.ts`, so that they need neither the contract nor its schemas. */
export function declarations(): string {
  const calls = Object.entries<Readonly<Record<string, Call>>>(CALLS)
  return [
    'import type { PageCall, RouteCall } from "./call-types.js"',
    '',
    `export type RefusalCode =\n${[...new Set(REFUSALS.map(({ code }) => code))].map((code) => `  | '${code}'`).join('\n')}`,
    "export type TokenRefusal = 'EXPIRED_TOKEN' | 'INVALID_TOKEN'",
    ...Object.entries(EVENTS).map(([type, event]) => eventType(type, event)),
    `/** A webhook event. \`eventType\` determines the type of \`eventData\`. */`,
    `export type KoboEvent =\n${Object.keys(EVENTS)
      .map((type) => `  | ${eventName(type)}`)
      .join('\n')}`,
    "export type EventType = KoboEvent['eventType']",
    ...calls.flatMap(([group, some]) => Object.entries(some).map(([name, call]) => callTypes(group, name, call))),
    '/** Every route of the gateway, by group. */',
    'export interface Api {',
    ...calls.map(([group, some]) => {
      const lines = Object.entries(some).map(
        ([name, { route }]) => `${comment(documentation(route), '    ')}    readonly ${name}: ${typeName(group, name)}`,
      )
      return `  readonly ${group}: {\n${lines.join('\n')}\n  }`
    }),
    '}',
    '',
  ].join('\n')
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
const typeName = (group: string, name: string): string => `${capital(group)}${capital(name)}`
/** `SUCCESSFUL_REFUND` becomes `SuccessfulRefundEvent`. */
const eventName = (type: string): string =>
  `${type
    .split('_')
    .map((word) => capital(word.toLowerCase()))
    .join('')}Event`

const documentation = ({ method, path, summary, description }: Route): string =>
  [`${sentence(summary)}. \`${method} ${path}\``, ...(description === undefined ? [] : [description])].join('\n')

function eventType(
  type: string,
  event: { readonly summary: string; readonly data: TSchema; readonly metaData?: TSchema },
): string {
  const metaData = event.metaData === undefined ? '' : `\n  readonly metaData: ${typeOf(event.metaData, '  ')}`
  return `${comment(`${event.summary}.`, '')}export interface ${eventName(type)} {\n  readonly eventType: '${type}'\n  readonly eventData: ${typeOf(event.data, '  ')}${metaData}\n}`
}

function callTypes(group: string, name: string, { route, bodyKey }: Call): string {
  const title = typeName(group, name)
  const { params, query, body, reply } = route
  const parts = [params, query, ...(bodyKey === undefined ? [body] : [])].filter((part) => part !== undefined)
  const fields = [
    ...parts.flatMap((part) => propertiesOf(asJson(part), '  ', true)),
    ...(bodyKey === undefined || body === undefined ? [] : [`  readonly ${bodyKey}: ${typeOf(body, '  ', true)}`]),
  ]
  const input =
    fields.length === 0
      ? `export type ${title}Request = Record<never, never>`
      : `export interface ${title}Request {\n${fields.join('\n')}\n}`
  const response = responseType(`${title}Response`, reply)
  const item =
    asJson(reply).properties?.['content']?.type !== 'array' ? undefined : `${title}Response['content'][number]`
  const kind =
    item === undefined
      ? `RouteCall<${title}Request, ${title}Response>`
      : `PageCall<${title}Request, ${item}, ${title}Response>`
  return [input, response, `export type ${title} = ${kind}`].join('\n')
}

function responseType(title: string, reply: TSchema): string {
  const schema = asJson(reply)
  return schema.properties === undefined
    ? `export type ${title} = ${typeOf(reply, '')}`
    : `export interface ${title} ${typeOf(reply, '')}`
}

/** Writes a schema as a type. Requests are read-only, and their optional fields accept undefined. */
function typeOf(schema: TSchema | JsonSchema, indent: string, isRequest = false): string {
  const json = asJson(schema as TSchema)
  if (json.anyOf !== undefined) return union(json.anyOf.map((one) => typeOf(one, indent, isRequest)))
  if (json.enum !== undefined)
    return union([...new Set([...json.enum, ...(typesOf(json).includes('null') ? [null] : [])])].map(literal))
  if (json.const !== undefined) return literal(json.const)
  if (isFlag(json)) return "boolean | 'true' | 'false'"
  const types = typesOf(json)
  return types.length === 0 ? 'undefined' : union(types.map((type) => ofType(type, json, indent, isRequest)))
}

/** Whether a value may be a boolean or its text. */
const isFlag = ({ type, pattern }: JsonSchema): boolean => Array.isArray(type) && pattern === '^(true|false)$'

const literal = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : String(value))
const union = (types: readonly string[]): string => [...new Set(types)].join(' | ')

function ofType(type: string, json: JsonSchema, indent: string, isRequest: boolean): string {
  switch (type) {
    case 'integer':
    case 'number':
      return 'number'
    case 'string':
    case 'boolean':
    case 'null':
      return type
    case 'array': {
      const item = typeOf(json.items ?? {}, indent, isRequest)
      return `${isRequest ? 'readonly ' : ''}${/[|{]/.test(item) ? `(${item})` : item}[]`
    }
    case 'object':
      return json.properties === undefined
        ? `Record<string, ${valueType(json, indent, isRequest)}>`
        : `{\n${propertiesOf(json, `${indent}  `, isRequest).join('\n')}\n${indent}}`
    default:
      throw new Error(`No type is known for ${type}`)
  }
}

/** Returns the type of the values in a free-form map. */
function valueType({ additionalProperties }: JsonSchema, indent: string, isRequest: boolean): string {
  return typeof additionalProperties === 'object'
    ? typeOf(additionalProperties as JsonSchema, indent, isRequest)
    : 'unknown'
}

function propertiesOf({ properties = {}, required = [] }: JsonSchema, indent: string, isRequest: boolean): string[] {
  return Object.entries(properties).map(([name, schema]) => {
    const isOptional = !required.includes(name)
    const isWaivable = schema['x-waived-by'] !== undefined // a merchant's setting makes it optional
    const type = typeOf(schema, indent, isRequest)
    return `${comment(asJson(schema as TSchema).description ?? '', indent)}${indent}${isRequest ? 'readonly ' : ''}${name}${isOptional ? '?' : ''}: ${type}${(isOptional && isRequest) || isWaivable ? ' | undefined' : ''}`
  })
}

function comment(text: string, indent: string): string {
  if (text === '') return ''
  const lines = text.split('\n').map((line) => sentence(line).replaceAll('*/', '* /'))
  return lines.length === 1
    ? `${indent}/** ${lines[0]} */\n`
    : `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join('')}${indent} */\n`
}
