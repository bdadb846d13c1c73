import type { FastifyRequest } from 'fastify'

/** As the W3C's Trace Context has it: version, trace, the caller's span, flags. Nothing but zeros names nothing. */
const TRACE_PARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}$/

/** The trace that a caller says its request belongs to, and the caller's span in it. */
export function traceOf(header: string | string[] | undefined): { traceId: string; spanId: string } | undefined {
  const [, traceId, spanId] = typeof header === 'string' ? (TRACE_PARENT.exec(header) ?? []) : []
  return traceId === undefined || spanId === undefined ? undefined : { traceId, spanId }
}

/** What a line of the log says of the request that it is about: its id, its trace, and whose it is where that is known. */
export function requestFacts(request: FastifyRequest): Readonly<Record<string, string | undefined>> {
  return {
    requestId: request.id,
    traceId: (request.span ?? traceOf(request.headers['traceparent']))?.traceId,
    merchantId: request.server.merchantIdOf?.(request),
    path: request.routeOptions.url,
  }
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The merchant that a request was let in as; set by who lets merchants in. */
    merchantIdOf?: (request: FastifyRequest) => string | undefined
  }
}
