import type { FastifyInstance } from 'fastify'
import type { Core } from '../../core/core.ts'
import { type Peers, TIMELINE_HEADER } from '../../core/timeline.ts'
import type { Counter } from '../../platform/http/rate-limit.ts'
import { rejectIfLimited } from '../../platform/http/server.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import { measurementsOfAll } from '../../platform/metrics/metrics-of-processes.ts'
import { whyUnavailable } from '../../platform/postgres/health.ts'

/** Requests per minute and caller for costly endpoints; monitoring tools poll every few seconds. */
const REQUESTS_PER_MINUTE_MAX = 120

interface Deps {
  readonly core: Pick<Core, 'db' | 'nodeLease'>
  readonly metrics: Metrics
  readonly isStopping: () => boolean
  /** The processes that exchange the newest timeline of the database; undefined for a process without peers. */
  readonly peers: Pick<Peers, 'timelines' | 'learn'> | undefined
  /** Creates a counter per IP address, which has no limit if rate limits are off. */
  readonly openCounter: (perMinute: number) => Counter
}

/** Serves the endpoints for an operator's tools: liveness, readiness and metrics. */
export function operationRoutes(
  http: FastifyInstance,
  { core: { db, nodeLease }, metrics, isStopping, peers, openCounter }: Deps,
): void {
  const measurements = measurementsOfAll(metrics)
  const count = openCounter(REQUESTS_PER_MINUTE_MAX)
  const onRequest = async ({ ip }: { readonly ip: string }): Promise<void> => {
    rejectIfLimited(count.usedUp(ip))
    count.count(ip)
  }
  const config = { isForOperators: true }

  // It has no rate limit: a supervisor may share its IP address, and restarts a process that does not respond.
  http.get('/health/live', { config: { ...config, isUncounted: true } }, async ({ headers }, reply) => {
    if (peers !== undefined) {
      peers.learn(String(headers[TIMELINE_HEADER] ?? ''))
      reply.header(TIMELINE_HEADER, peers.timelines())
    }
    return { status: 'UP' }
  })

  http.get('/health/ready', { config, onRequest }, async (_, reply) => {
    const reason = isStopping() ? 'This process is stopping' : (nodeLease.whyUnhealthy() ?? (await whyUnavailable(db)))
    return reason === undefined ? { status: 'UP' } : reply.code(503).send({ status: 'DOWN', reason })
  })

  http.get('/metrics', { config, onRequest }, async (_, reply) =>
    reply.type(metrics.contentType).send(await measurements()),
  )
}
