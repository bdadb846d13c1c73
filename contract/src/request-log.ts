import Type from 'typebox'
import { LOG_SIZE_MAX, LogQuery, Next } from './event-log.ts'
import { nullable, words } from './fields.ts'
import { NO_PERMISSION } from './permissions.ts'
import { loggedRequest, personal } from './personal-data.ts'
import { requestLogRefusals } from './refusals/index.ts'
import { group, type Route, route } from './route.ts'

/** The outcome of a request: success, rejected (4xx), or failed on our side (5xx). */
export const REQUEST_OUTCOMES = ['SUCCEEDED', 'REFUSED', 'FAILED'] as const

/** The common fields of a logged request. */
export const LoggedRequest = {
  outcome: words(REQUEST_OUTCOMES),
  status: Type.Integer({ description: 'HTTP status' }),
  method: Type.String(),
  route: Type.String({ examples: ['/api/v2/transactions/:transactionReference'] }),
  refusal: nullable(Type.String({ description: 'error code, if the request was rejected' })),
  reference: nullable(Type.String({ description: 'reference in the request, if it had one' })),
  milliseconds: Type.Number(),
  requestId: Type.String({ description: '`X-Request-Id` of the response' }),
  address: Type.String({ description: 'caller’s IP address' }),
  leftOut: Type.Integer({
    description: 'number of requests before this one that were not logged, because too many arrived at once',
  }),
}

export const RequestFilter = {
  outcome: Type.Optional(words(REQUEST_OUTCOMES)),
  route: Type.Optional(Type.String({ maxLength: 128, description: 'part of the route' })),
  reference: Type.Optional(Type.String({ maxLength: 128 })),
}

const RequestRecord = loggedRequest(
  Type.Object({
    id: Type.String(),
    at: Type.String(),
    ...LoggedRequest,
    url: nullable(personal(Type.String({ description: 'path and query as sent; null in live mode' }))),
    requestBody: nullable(personal(Type.String({ description: 'null in live mode' }))),
    answerBody: nullable(personal(Type.String({ description: 'null in live mode' }))),
  }),
)

export const listMerchantRequests = route({
  method: 'GET',
  path: '/api/v1/merchant/requests',
  summary: 'List your API requests and their responses, newest first',
  description: `Returns at most ${LOG_SIZE_MAX} requests; pass \`before\` to get older ones. The log keeps the latest few thousand requests of the last days. Live requests are logged without bodies; in test bodies, card numbers, codes, tokens and identity numbers are masked. Under heavy load some requests are not logged; \`leftOut\` counts them.`,
  permission: NO_PERMISSION.ownData,
  person: 'developer.read',
  query: Type.Object({ ...LogQuery, ...RequestFilter }),
  reply: Type.Object({ content: Type.Array(RequestRecord), next: Next }),
})

export const getMerchantRequest = route({
  method: 'GET',
  path: '/api/v1/merchant/requests/:id',
  summary: 'Get one of your logged requests',
  permission: NO_PERMISSION.ownData,
  person: 'developer.read',
  params: Type.Object({ id: Type.String({ pattern: '^\\d{1,19}$', 'x-rule': 'a numeric ID' }) }),
  reply: RequestRecord,
  refusals: [requestLogRefusals.unknownRequest],
})

const routes = { listMerchantRequests, getMerchantRequest }

export const requestLog = group({
  title: 'Request log',
  text: 'Your API requests and their responses. A Kobo extension; Monnify’s API has no such paths.',
  routes,
  refusals: requestLogRefusals,
})

const READS: readonly Route[] = Object.values(routes)

/** Whether calls of a route are logged: all API calls of servers, except those that read the log. */
export const isLogged = (route: Route): boolean =>
  route.path.startsWith('/api/') && (route.access ?? 'token') !== 'open' && !READS.includes(route)
