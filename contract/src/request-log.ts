import Type from 'typebox'
import { LOG_SIZE_MAX, LogQuery, Next } from './event-log.ts'
import { nullable, words } from './fields.ts'
import { NO_PERMISSION } from './permissions.ts'
import { requestLogRefusals } from './refusals/index.ts'
import { group, type Route, route } from './route.ts'

/** What became of a request: answered, refused for what it asked, or failed on our side. */
export const REQUEST_OUTCOMES = ['SUCCEEDED', 'REFUSED', 'FAILED'] as const

/** What is known of a request wherever it is shown. */
export const NotedRequest = {
  outcome: words(REQUEST_OUTCOMES),
  status: Type.Integer({ description: 'the HTTP status' }),
  method: Type.String(),
  route: Type.String({ examples: ['/api/v2/transactions/:transactionReference'] }),
  refusal: nullable(Type.String({ description: 'the code of the refusal' })),
  reference: nullable(Type.String({ description: 'what it was about, as far as the request named something' })),
  milliseconds: Type.Number(),
  requestId: Type.String({ description: 'the answer’s `X-Request-Id`' }),
  address: Type.String({ description: 'from where it came' }),
  leftOut: Type.Integer({ description: 'so many before it are not in the log, since too many came at once' }),
}

/** What the log can be narrowed down to. */
export const RequestFilter = {
  outcome: Type.Optional(words(REQUEST_OUTCOMES)),
  route: Type.Optional(Type.String({ maxLength: 128, description: 'a part of the route' })),
  reference: Type.Optional(Type.String({ maxLength: 128 })),
}

const RequestRecord = Type.Object({
  id: Type.String(),
  at: Type.String(),
  ...NotedRequest,
  url: nullable(Type.String({ description: 'path and query as asked; null in live' })),
  requestBody: nullable(Type.String({ description: 'null in live' })),
  answerBody: nullable(Type.String({ description: 'null in live' })),
})

export const listMerchantRequests = route({
  method: 'GET',
  path: '/api/v1/merchant/requests',
  summary: 'What your server asked of the API and what it was answered, newest first',
  description: `At most ${LOG_SIZE_MAX} at once; ask again with \`before\` for older ones. The newest some thousand of the last days are kept. Bodies are kept only where no real money moves, with card numbers, codes, tokens and identities masked. It is there to look things up: where many requests come at once some are left out, and \`leftOut\` says how many.`,
  permission: NO_PERMISSION.ownBooks,
  person: 'developer.read',
  query: Type.Object({ ...LogQuery, ...RequestFilter }),
  reply: Type.Object({ content: Type.Array(RequestRecord), next: Next }),
})

export const getMerchantRequest = route({
  method: 'GET',
  path: '/api/v1/merchant/requests/:id',
  summary: 'One of your noted requests',
  permission: NO_PERMISSION.ownBooks,
  person: 'developer.read',
  params: Type.Object({ id: Type.String({ pattern: '^\\d{1,19}$', 'x-rule': 'an id' }) }),
  reply: RequestRecord,
  refusals: [requestLogRefusals.unknownRequest],
})

const routes = { listMerchantRequests, getMerchantRequest }

export const requestLog = group({
  title: 'Request log',
  text: 'What your server asked, and what it was answered. Of ours: the interface has no such paths.',
  routes,
  refusals: requestLogRefusals,
})

const READS: readonly Route[] = Object.values(routes)

/** Whether calls of a route are noted: those of the API by servers, but for reading the log itself. */
export const isNoted = (route: Route): boolean =>
  route.path.startsWith('/api/') && (route.access ?? 'token') !== 'open' && !READS.includes(route)
