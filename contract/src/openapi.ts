import manifest from '../package.json' with { type: 'json' }
import { envelope, Failure, NoBody } from './envelope.ts'
import { EVENTS } from './events.ts'
import * as contract from './index.ts'
import { EXAMPLE_DAY, exampleEvent, exampleParameter, exampleRequest, exampleResponse } from './openapi-examples.ts'
import { type Environment, guide } from './openapi-guide.ts'
import { asJson, documented, explained, type JsonSchema, mapValues, spelledOut } from './openapi-schema.ts'
import { permissionsOf } from './permissions.ts'
import { REFUSAL_HEADER, type Refusal } from './refusal.ts'
import { accessRefusals, requestRefusals } from './refusals/index.ts'
import type { Route } from './route.ts'
import { isRepeatable, refusalsOf } from './route-refusals.ts'

export { GIVEN_FIELDS, OWN_FIELDS } from './openapi-examples.ts'
export type { JsonSchema }

type NamedRoute = (typeof contract.ROUTES)[number]

const EVENTS_GROUP = 'Events'
const EVENTS_DESCRIPTION =
  'Events that Kobo posts to your webhook URL. Verify `service-signature`, then return 200 within 10 seconds; redirects are not followed. ' +
  `After any other response, Kobo retries at growing intervals, ${contract.EVENT_ATTEMPTS_MAX} attempts in about ${contract.EVENT_DAYS} days. ` +
  '`Retry-After` of a 429 or 503 is ' +
  'honoured; 410 pauses the webhook URL. An event may arrive more than once and out of order, so process each reference once.'

/** The names of the exported schemas. The key is the schema object itself, because equal schemas can differ in name. */
const NAMED: ReadonlyMap<unknown, string> = new Map(
  Object.entries(contract).flatMap(([name, value]) => (isRecord(value) ? [[value, name] as const] : [])),
)

function isRecord(value: unknown): value is JsonSchema {
  return (
    typeof value === 'object' && value !== null && 'type' in value && value.type === 'object' && 'properties' in value
  )
}

const nameOf = (schema: JsonSchema): string | undefined => NAMED.get(schema)
const inWords = (schema: JsonSchema): JsonSchema => documented(schema, nameOf, '')

const routesOf = (environment: Environment): readonly NamedRoute[] =>
  contract.ROUTES.filter(({ route }) => environment === 'sandbox' || route.environment === undefined)

/** A section of the document: a route group, or the events. */
export interface Tag {
  readonly name: string
  readonly description: string
}

/** The document's sections, without building the document, which is slow. */
export const tagsOf = (environment: Environment): readonly Tag[] => [
  ...[...new Set(routesOf(environment).map(({ group }) => group))].map(({ title, text }) => ({
    name: title,
    description: text,
  })),
  { name: EVENTS_GROUP, description: EVENTS_DESCRIPTION },
]

/**
 * The API as an OpenAPI 3.1 document: the routes of the environment at a server's URL, with example requests that are
 * valid on that day.
 */
export function openApi(environment: Environment = 'sandbox', today: Date = EXAMPLE_DAY, url = '/'): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Kobo',
      version: manifest.version,
      description: guide(environment),
      license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url }],
    security: [{ accessToken: [] }],
    tags: tagsOf(environment),
    paths: pathsOf(routesOf(environment), today),
    webhooks: mapValues(EVENTS, webhook),
    components: {
      securitySchemes: {
        accessToken: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'The `accessToken` from the login.',
        },
        keys: { type: 'http', scheme: 'basic', description: 'The API key as user name, the secret key as password.' },
      },
      parameters: { IdempotencyKey },
      headers: HEADERS,
      responses: SHARED_RESPONSES,
      schemas: Object.fromEntries(
        [...NAMED].map(([schema, name]) => [name, spelledOut(schema as JsonSchema, nameOf, name)]),
      ),
    },
  }
}

function pathsOf(routes: readonly NamedRoute[], today: Date): Record<string, Record<string, object>> {
  const paths: Record<string, Record<string, object>> = {}
  const add = (path: string, { method }: Route, operation: object): void => {
    const template = path.replace(/:(\w+)/g, '{$1}')
    paths[template] = { ...paths[template], [method.toLowerCase()]: operation }
  }
  for (const named of routes) {
    const { name, route } = named
    add(route.path, route, operationOf(named, today))
    route.aliases?.forEach((path, index) => {
      add(path, route, alias(operationOf(named, today), `${name}Alias${index === 0 ? '' : index + 1}`, route.path))
    })
    route.deprecatedPaths?.forEach((path, index) => {
      add(
        path,
        route,
        deprecated(operationOf(named, today), `${name}Deprecated${index === 0 ? '' : index + 1}`, route.path),
      )
    })
  }
  return paths
}

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: readonly string[]
  readonly security?: readonly object[]
  readonly parameters?: readonly object[]
  readonly requestBody?: object
  readonly responses: Readonly<Record<string, object>>
}

function operationOf({ group, name, route }: NamedRoute, today: Date): Operation {
  const { summary, access = 'token', body } = route
  const parameters = [
    ...parametersOf(route, 'params'),
    ...parametersOf(route, 'query'),
    ...(isRepeatable(route) ? [IDEMPOTENCY_KEY] : []),
  ]
  return {
    operationId: name,
    summary,
    ...describe(route),
    tags: [group.title],
    ...(access === 'token' ? {} : { security: access === 'keys' ? [{ keys: [] }] : [] }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: json(asJson(body), exampleRequest(asJson(body), today)) } }),
    responses: responsesOf(name, route),
  }
}

function describe(route: Route): { description?: string } {
  const { description, environment } = route
  const needed = permissionsOf(route).map((permission) => `\`${permission}\``)
  const parts = [
    description,
    needed.length === 0 ? undefined : `Requires the ${needed.join(' and ')} permission${needed.length > 1 ? 's' : ''}.`,
    environment === 'sandbox' ? '**Sandbox only.**' : undefined,
  ].filter((part) => part !== undefined)
  return parts.length === 0 ? {} : { description: parts.join('\n\n') }
}

/** The same operation at another path. */
const alias = (operation: Operation, operationId: string, first: string): object => ({
  ...operation,
  operationId,
  summary: `${operation.summary} (alias)`,
  description: `Same as \`${first.replace(/:(\w+)/g, '{$1}')}\`.`,
})

/** The same operation at a deprecated path. */
function deprecated(operation: Operation, operationId: string, successor: string): object {
  const response = operation.responses['200'] as { headers?: object }
  return {
    ...operation,
    operationId,
    deprecated: true,
    summary: `${operation.summary} (deprecated path)`,
    description: `Same as \`${successor.replace(/:(\w+)/g, '{$1}')}\`; use that path instead.`,
    responses: {
      ...operation.responses,
      200: { ...response, headers: { ...response.headers, ...headers('Deprecation', 'Sunset') } },
    },
  }
}

function parametersOf(route: Route, part: 'params' | 'query'): object[] {
  const { properties = {}, required = [] } = asJson(route[part] ?? {})
  return Object.entries(properties).map(([name, schema]) => {
    const { description, examples: _, ...words } = explained(inWords(schema), name)
    const value = part === 'params' || required.includes(name) ? exampleParameter(schema, name) : undefined
    return {
      name,
      in: part === 'params' ? 'path' : 'query',
      required: part === 'params' || required.includes(name),
      ...(description === undefined ? {} : { description }),
      schema: words,
      ...(value === undefined ? {} : { example: value }),
    }
  })
}

/** The header parameter of routes that support idempotency. */
const IdempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A unique value of your choice for this request. Retries with the same value within 24 hours return the first response.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}
const IDEMPOTENCY_KEY = { $ref: '#/components/parameters/IdempotencyKey' }

const HEADERS = {
  'Idempotent-Replayed': {
    description: '`true` if this is a stored response to an earlier request.',
    schema: { type: 'string', enum: ['true'] },
  },
  'Retry-After': { description: 'Seconds to wait before the next attempt.', schema: { type: 'integer' } },
  Deprecation: {
    description: 'When the path was deprecated, as `@` and Unix seconds.',
    schema: { type: 'string' },
  },
  Sunset: { description: 'The path is served at least until then.', schema: { type: 'string' } },
}

const headers = (...names: readonly (keyof typeof HEADERS)[]): Record<string, object> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

const json = (schema: JsonSchema, value: unknown): object => ({
  'application/json': { schema: inWords(schema), example: value },
})

/** The response for all errors of one status: each by its code, with its cause and an example. */
function errorResponse(refusals: readonly Refusal[], route?: Route): object {
  const codes = [...new Set(refusals.map(({ code }) => code))]
  const causes = new Map(refusals.map(({ code, cause }) => [code, cause]))
  const waits = refusals.some(({ status }) => status === 429 || status === 503)
  return {
    description: codes.map((code) => `- \`${code}\`: ${causes.get(code)}`).join('\n'),
    headers: {
      [REFUSAL_HEADER]: { description: 'The error code.', schema: { type: 'string', enum: codes } },
      ...(waits ? headers('Retry-After') : {}),
    },
    content: {
      'application/json': {
        schema: inWords(asJson(Failure)),
        examples: Object.fromEntries(
          refusals.map((refusal) => [refusal.code, { value: exampleFailure(refusal, route) }]),
        ),
      },
    },
  }
}

function exampleFailure({ code, text, example = text, responseCode }: Refusal, route: Route | undefined): object {
  const [field] = asJson(route?.body ?? {}).required ?? []
  const isField = code === requestRefusals.malformedField.code && field !== undefined
  return { requestSuccessful: false, responseMessage: isField ? `${field} is required` : example, responseCode }
}

/** Responses whose errors are the same on every route; defined once. */
const SHARED = {
  Unauthorized: [accessRefusals.missingToken, accessRefusals.malformedToken, accessRefusals.expiredToken],
  BodyTooLarge: [requestRefusals.bodyTooLarge],
  UnsupportedMediaType: [requestRefusals.notJson],
  TooManyRequests: [requestRefusals.tooManyRequests],
  ServerError: [requestRefusals.internalError],
  NotReady: [
    requestRefusals.notReady,
    requestRefusals.busy,
    requestRefusals.databaseAway,
    requestRefusals.outcomeUnknown,
  ],
} satisfies Record<string, readonly Refusal[]>

const SHARED_RESPONSES = mapValues(SHARED, (refusals) => errorResponse(refusals))

/** Returns a reference to the shared response with exactly these errors. */
const sharedResponse = (refusals: readonly Refusal[]): object | undefined => {
  const [name] =
    Object.entries(SHARED).find(
      ([, shared]) => shared.length === refusals.length && shared.every((refusal) => refusals.includes(refusal)),
    ) ?? []
  return name === undefined ? undefined : { $ref: `#/components/responses/${name}` }
}

function responsesOf(name: string, route: Route): Record<string, object> {
  const byStatus = Object.groupBy(refusalsOf(route), ({ status }) => status)
  return {
    200: {
      description: 'Success',
      ...(isRepeatable(route) ? { headers: headers('Idempotent-Replayed') } : {}),
      content: json(asJson(envelope(route.reply)), succeeded(exampleReply(route, name))),
    },
    ...mapValues(byStatus, (refusals = []) => sharedResponse(refusals) ?? errorResponse(refusals, route)),
  }
}

const exampleReply = ({ reply }: Route, name: string): unknown =>
  reply === NoBody ? undefined : exampleResponse(asJson(reply), name)

const succeeded = (responseBody: unknown): object => ({
  requestSuccessful: true,
  responseMessage: 'success',
  responseCode: '0',
  responseBody,
})

const SIGNATURE_HEADERS = [
  { name: 'service-signature', text: 'HMAC-SHA-512 of the body with your secret key, in lower-case hex.' },
  { name: 'webhook-id', text: 'The event’s ID; the same at every attempt.' },
  { name: 'webhook-timestamp', text: 'Time of this attempt, in Unix seconds.' },
  {
    name: 'webhook-signature',
    text: '`v1,` and the base64 of HMAC-SHA-256 over `webhook-id.webhook-timestamp.body` with your secret key. During a key rotation there are several, separated by spaces.',
  },
]

/** An event as a webhook of the document. */
function webhook(event: (typeof EVENTS)[keyof typeof EVENTS], eventType: string): object {
  const { kind, summary, data } = event
  const parts = { eventData: asJson(data), ...('metaData' in event ? { metaData: asJson(event.metaData) } : {}) }
  const schema = {
    type: 'object',
    required: ['eventType', ...Object.keys(parts)],
    properties: { eventType: { type: 'string', const: eventType }, ...parts },
  }
  return {
    post: {
      operationId: eventType,
      summary,
      description: `\`${eventType}\` is sent to your webhook URL for \`${kind}\` events, or to your default webhook URL.`,
      tags: [EVENTS_GROUP],
      security: [],
      parameters: SIGNATURE_HEADERS.map(({ name, text }) => ({
        name,
        in: 'header',
        required: true,
        description: text,
        schema: { type: 'string' },
      })),
      requestBody: { required: true, content: json(schema, { eventType, ...mapValues(parts, exampleEvent) }) },
      responses: {
        200: { description: 'Received. Any other status is a failed attempt.' },
        401: { description: 'The signature is wrong. Kobo retries the event.' },
        410: { description: 'Kobo pauses this webhook URL.' },
      },
    },
  }
}
