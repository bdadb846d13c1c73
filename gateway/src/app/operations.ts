import type { FastifyInstance } from 'fastify'
import type { Core } from '../core/core.ts'
import { whyAway } from '../platform/database-look.ts'
import { refuseWait } from '../platform/http.ts'
import type { Metrics } from '../platform/metrics.ts'
import { measurementsOfAll } from '../platform/metrics-of-all.ts'
import type { Counter } from '../platform/rate-limit.ts'

/** How often one caller may ask in a minute for what costs us work: a tool asks every few seconds. */
const ASKED_PER_MINUTE_MAX = 120

interface Deps {
  readonly core: Pick<Core, 'db' | 'fitness'>
  readonly metrics: Metrics
  readonly isStopping: () => boolean
  /** Counts something per address, where requests are counted at all. */
  readonly counted: (perMinute: number) => Counter
}

/** What an operator's tools ask: whether the process lives, whether it can work, and what it measures. */
export function operationRoutes(
  http: FastifyInstance,
  { core: { db, fitness }, metrics, isStopping, counted }: Deps,
): void {
  const measurements = measurementsOfAll(metrics)
  const asked = counted(ASKED_PER_MINUTE_MAX)
  const onRequest = async ({ ip }: { readonly ip: string }): Promise<void> => {
    refuseWait(asked.usedUp(ip))
    asked.count(ip)
  }
  const config = { isForOperators: true }

  // Asked by what would start the process anew without an answer, from an address that it may share with anyone.
  http.get('/health/live', { config: { ...config, isUncounted: true } }, async () => ({ status: 'UP' }))

  http.get('/health/ready', { config, onRequest }, async (_, reply) => {
    const reason = isStopping() ? 'This process is stopping' : (fitness.whyUnfit() ?? (await whyAway(db)))
    return reason === undefined ? { status: 'UP' } : reply.code(503).send({ status: 'DOWN', reason })
  })

  http.get('/metrics', { config, onRequest }, async (_, reply) =>
    reply.type(metrics.contentType).send(await measurements()),
  )
}
