import type { FastifyRequest } from 'fastify'

/** W3C Trace Context: version, trace, the caller's span, flags. All zeros are invalid. */
const TRACE_PARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}$/

/** Reads the caller's trace and span. */
export function traceOf(header: string | string[] | undefined): { traceId: string; spanId: string } | undefined {
  const [, traceId, spanId] = typeof header === 'string' ? (TRACE_PARENT.exec(header) ?? []) : []
  return traceId === undefined || spanId === undefined ? undefined : { traceId, spanId }
}

/** Returns the log fields of a request: its id, its trace, its path, and its merchant if known. */
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
    /** The authenticated merchant of a request. */
    merchantIdOf?: (request: FastifyRequest) => string | undefined
  }
}
