import { isLogged, REFUSAL_HEADER, type Route } from '@kobo/contract'
import type { onResponseHookHandler, onSendHookHandler } from 'fastify'
import type { RequestLog } from '../request-recorder/index.ts'
import { nameIn, namesOf } from './request-reference.ts'

interface Hooks {
  readonly onSend?: onSendHookHandler
  readonly onResponse?: onResponseHookHandler
}

/**
 * Records a route's requests for the merchant's developers, after the response is sent and without delaying it. Non-API
 * routes and dashboard calls are not recorded.
 */
export function requestLogHooks(log: RequestLog, route: Route): Hooks {
  if (!isLogged(route)) return {}
  const names = namesOf(route)
  const onResponse: onResponseHookHandler = (request, reply, done) => {
    const { merchant } = request
    const skippedBefore = merchant === undefined ? undefined : log.admit(merchant.id, reply.statusCode)
    if (merchant !== undefined && skippedBefore !== undefined)
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
          response: request.responseText,
        },
        skippedBefore,
      )
    done()
  }
  const onSend: onSendHookHandler = (request, _, payload, done) => {
    if (typeof payload === 'string') request.responseText = payload
    done()
  }
  return log.storesBodies ? { onSend, onResponse } : { onResponse }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The response body, if bodies are recorded. */
    responseText: string | undefined
  }
}
