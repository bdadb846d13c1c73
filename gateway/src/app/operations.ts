import type { FastifyInstance } from 'fastify'
import { answers, type Db } from '../platform/db.ts'
import type { Metrics } from '../platform/metrics.ts'

/** What an operator's tools ask: whether the process lives, whether it can work, and what it measures. */
export function operationRoutes(
  http: FastifyInstance,
  { db, metrics }: { readonly db: Db; readonly metrics: Metrics },
): void {
  http.get('/health/live', async () => ({ status: 'UP' }))

  http.get('/health/ready', async (_, reply) => {
    if (await answers(db)) return { status: 'UP' }
    return reply.code(503).send({ status: 'DOWN', reason: 'The database does not answer' })
  })

  http.get('/metrics', async (_, reply) => reply.type(metrics.contentType).send(await metrics.text()))
}
