import { REFUSAL_HEADER } from '@kobo/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { type Span, type Tracing, within } from '../observability/tracing.ts'
import { traceOf } from './request-fields.ts'

/**
 * Gives every request of a known route a span, except on monitoring endpoints. The span contains the route's pattern,
 * never the path, query, headers or body.
 */
export function traceRequests(http: FastifyInstance, tracing: Tracing): void {
  http.decorateRequest('span', undefined)
  http.addHook('onRoute', (route) => {
    if (route.config?.isForOperators === true) return
    const begin: onRequestHookHandler = (request, reply, done) => {
      if (request.span !== undefined) return done()
      const { method } = request
      const span = tracing.root(`${method} ${route.url}`, 'server', traceOf(request.headers['traceparent']))
      if (span === undefined) return done()
      span.note('http.request.method', method)
      span.note('http.route', route.url)
      request.span = span
      reply.raw.once('close', () => finish(span, request, reply))
      // The framework keeps the context while it reads a body, so the rest of the request runs within the span.
      within(span, done)
    }
    route.onRequest = [begin, route.onRequest ?? []].flat()
  })
}

function finish(span: Span, request: FastifyRequest, reply: FastifyReply): void {
  const { statusCode, writableFinished } = reply.raw
  const refusal = reply.getHeader(REFUSAL_HEADER)
  span.note('kobo.merchant_id', request.server.merchantIdOf?.(request))
  span.note('kobo.refusal', typeof refusal === 'string' ? refusal : undefined)
  if (writableFinished) span.note('http.response.status_code', statusCode)
  else span.note('error.type', 'the caller has gone')
  span.end(writableFinished && statusCode >= 500)
}

declare module 'fastify' {
  interface FastifyRequest {
    span?: Span | undefined
  }
}
