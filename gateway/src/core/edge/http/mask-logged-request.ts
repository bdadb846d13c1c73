import {
  EVENTS,
  envelope,
  isPersonalData,
  type listMerchantRequests,
  type Reply,
  ROUTES,
  type Route,
} from '@kobo/contract'
import { MASKED } from '../request-recorder/index.ts'
import { maskAll, maskJson, maskText } from './masks.ts'

type Schema = Route['reply']
type LoggedRequest = Reply<typeof listMerchantRequests>['content'][number]

/** The keywords of JSON Schema that contain other schemas. */
interface Nested {
  readonly type?: unknown
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly then?: Schema
  readonly else?: Schema
}

const pathsOf = ({ path, aliases = [], deprecatedPaths = [] }: Route): readonly string[] => [
  path,
  ...aliases,
  ...deprecatedPaths,
]

/** The API's routes, by method and any of their paths. */
const ROUTES_BY_PATH: ReadonlyMap<string, Route> = new Map(
  ROUTES.flatMap(({ route }) => pathsOf(route).map((path) => [`${route.method} ${path}`, route] as const)),
)

/**
 * The names of fields that responses and events mark as personal data. Fields of requests with these names are personal
 * data too.
 */
const PERSONAL_NAMES: ReadonlySet<string> = new Set([
  ...ROUTES.flatMap(({ route }) => personalNames(route.reply)),
  ...Object.values(EVENTS).flatMap(({ data }) => personalNames(data)),
])

function personalNames(schema: Schema): readonly string[] {
  const { properties = {}, items, anyOf = [] } = schema as Nested
  return [
    ...Object.entries(properties).flatMap(([name, field]) => (isPersonalData(field) ? [name] : personalNames(field))),
    ...[items, ...anyOf].flatMap((inner) => (inner === undefined ? [] : personalNames(inner))),
  ]
}

const isPersonalName = (name: string): boolean => PERSONAL_NAMES.has(name)
const isNeverPersonal = (): boolean => false

/**
 * Masks a logged request for a caller who may not see customers. A field stays readable only if the route declares it
 * and does not mark it as personal data.
 */
export function maskRequest(logged: unknown): unknown {
  const { method, route: path, url, requestBody, answerBody } = logged as LoggedRequest
  const route = ROUTES_BY_PATH.get(`${method} ${path}`)
  return {
    ...(logged as LoggedRequest),
    url: url === null ? null : maskUrl(route, url),
    requestBody:
      requestBody === null ? null : maskJson(requestBody, (body) => maskBySchema(route?.body, body, isPersonalName)),
    answerBody: answerBody === null ? null : maskJson(answerBody, (response) => maskResponse(route, response)),
  }
}

/** Masks a response: long numbers and email addresses in the message, and the body by its schema. */
function maskResponse(route: Route | undefined, response: unknown): unknown {
  if (route === undefined || typeof response !== 'object' || response === null) return maskAll(response)
  const { responseMessage, warnings } = response as { readonly responseMessage?: unknown; readonly warnings?: unknown }
  return {
    ...(maskBySchema(envelope(route.reply), response, isNeverPersonal) as object),
    ...(typeof responseMessage === 'string'
      ? { responseMessage: responseMessage.replace(PERSONAL_WORD, maskText) }
      : {}),
    ...(warnings === undefined ? {} : { warnings }),
  }
}

/** A long number, or an email address, within a text. */
const PERSONAL_WORD = /\d{7,}|\S+@\S+/g

/** Masks the parts of a value that its schema either does not declare or marks as personal data. */
function maskBySchema(schema: Schema | undefined, value: unknown, isPersonal: (name: string) => boolean): unknown {
  if (value === MASKED) return value
  if (schema === undefined || isPersonalData(schema)) return maskAll(value)
  const { properties, items, anyOf, then: ifArray, else: ifNotArray } = schema as Nested
  const inner =
    anyOf?.find((choice) => (choice as Nested).type !== 'null') ?? (Array.isArray(value) ? ifArray : ifNotArray)
  if (inner !== undefined) return maskBySchema(inner, value, isPersonal)
  if (Array.isArray(value)) return value.map((item) => maskBySchema(items, item, isPersonal))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([name, field]) => [
        name,
        maskBySchema(isPersonal(name) ? undefined : properties?.[name], field, isPersonal),
      ]),
    )
  // A plain value in place of a declared object or list may be personal data.
  return properties === undefined && items === undefined ? value : maskAll(value)
}

/** Masks all query fields of a URL except declared ones that are not personal data. */
function maskUrl(route: Route | undefined, url: string): string {
  const [path = '', query] = url.split('?', 2)
  if (query === undefined) return path
  const { properties = {} } = (route?.query ?? {}) as Nested
  const fields = query.split('&').map((part) => {
    const [name = ''] = part.split('=', 1)
    const field = properties[name]
    const isShown = field !== undefined && !isPersonalData(field) && !isPersonalName(name)
    return isShown ? part : `${name}=${maskText('')}`
  })
  return `${path}?${fields.join('&')}`
}
