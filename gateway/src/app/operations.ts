import type { FastifyInstance } from 'fastify'
import type { Core } from '../core/core.ts'
import { answers } from '../platform/db.ts'
import type { Metrics } from '../platform/metrics.ts'

/** What an operator's tools ask: whether the process lives, whether it can work, and what it measures. */
export function operationRoutes(
  http: FastifyInstance,
  { core: { db, fitness }, metrics }: { readonly core: Pick<Core, 'db' | 'fitness'>; readonly metrics: Metrics },
): void {
  metrics.gauge('kobo_clock_skew_seconds', 'How far this machine’s clock is ahead of another', 'of', async () => [
    ['database', fitness.skewMilliseconds() / 1_000],
  ])
  const config = { isForOperators: true }
  http.get('/health/live', { config }, async () => ({ status: 'UP' }))

  http.get('/health/ready', { config }, async (_, reply) => {
    const reason = fitness.whyUnfit() ?? ((await answers(db)) ? undefined : 'The database does not answer')
    return reason === undefined ? { status: 'UP' } : reply.code(503).send({ status: 'DOWN', reason })
  })

  http.get('/metrics', { config }, async (_, reply) => reply.type(metrics.contentType).send(await metrics.text()))
}
