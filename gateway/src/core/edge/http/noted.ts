import { isNoted, REFUSAL_HEADER, type Route } from '@kobo/contract'
import type { onResponseHookHandler, onSendHookHandler } from 'fastify'
import type { RequestLog } from '../request-log/index.ts'
import { nameIn, namesOf } from './named.ts'

interface Hooks {
  readonly onSend?: onSendHookHandler
  readonly onResponse?: onResponseHookHandler
}

/**
 * Has requests of a route noted for the merchant's developers, once they are answered: nothing here is waited for. Where the
 * route is none of the API, or a person calls, nothing is.
 */
export function notedBy(log: RequestLog, route: Route): Hooks {
  if (!isNoted(route)) return {}
  const names = namesOf(route)
  const onResponse: onResponseHookHandler = (request, reply, done) => {
    const { merchant } = request
    const leftOut = merchant === undefined ? undefined : log.wants(merchant.id, reply.statusCode)
    if (merchant !== undefined && leftOut !== undefined)
      log.note(
        {
          merchantId: merchant.id,
          method: request.method,
          route: request.routeOptions.url ?? route.path,
          status: reply.statusCode,
          refusal: reply.getHeader(REFUSAL_HEADER)?.toString(),
          reference: nameIn(request, names),
          milliseconds: reply.elapsedTime,
          requestId: request.id,
          address: request.ip,
          url: request.url,
          requestBody: request.body,
          answer: request.answered,
        },
        leftOut,
      )
    done()
  }
  const onSend: onSendHookHandler = (request, _, payload, done) => {
    if (typeof payload === 'string') request.answered = payload
    done()
  }
  return log.keepsBodies ? { onSend, onResponse } : { onResponse }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** What was answered, where requests are noted with their bodies. */
    answered: string | undefined
  }
}
