import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { deleteOldKeys, openOnce } from '../core/edge/idempotency.ts'
import { noticeSweep } from '../core/messages/notices.ts'
import { outboxSweeps, selectPlainEndpoints } from '../core/messages/outbox/index.ts'
import { moneySweeps } from '../core/money/sweeps.ts'
import { retentionSweeps } from '../core/retention.ts'
import { auditSealing } from '../core/security/audit-chain.ts'
import { deleteOldCounts } from '../core/security/limits.ts'
import { headPublisher } from '../core/security/published-head.ts'
import { DELETION_SECONDS, openSweeps, type Sweep } from '../core/sweep.ts'
import { creditLane, creditSweeps, openOwnership, openViolations } from '../features/inbound-credits/index.ts'
import { sandboxFeature } from '../features/sandbox/index.ts'
import type { Config } from '../platform/config/config.ts'
import { openHttp } from '../platform/http/server.ts'
import type { Metrics } from '../platform/metrics/metrics.ts'
import type { Log } from '../platform/observability/log.ts'
import { refreshStatistics } from '../platform/postgres/db.ts'
import type { Core } from './core.ts'
import { openFeatures } from './features.ts'
import { openParts } from './parts.ts'
import { httpOptionsOf, serveAll } from './serving.ts'

/** A running gateway, which serves the API, works in the background, or both. */
export interface Gateway {
  readonly url: string
  /** Keeps serving for this long, but reports not ready and closes connections after each response. */
  readonly drain: (seconds: number) => Promise<void>
  /** Finishes the requests and the work in progress, and accepts nothing new. */
  readonly close: () => Promise<void>
  readonly metrics: Metrics
}

export interface Roles {
  readonly serves: boolean
  readonly works: boolean
  /** A request with an Idempotency-Key is treated as dead if its lease is not renewed for this long; shorter in tests. */
  readonly requestLeaseSeconds?: number
}

/** Opens the parts and the features, and starts their routes and jobs. */
export async function startGateway(core: Core, config: Config, log: Log, roles: Roles): Promise<Gateway> {
  let url = config.publicUrl ?? ''
  const publicUrl = (): string => url
  const dashboardUrl = (): string => config.dashboardUrl ?? url
  const parts = await openParts(core, config, log, { publicUrl, dashboardUrl })
  const { environment, metrics, orders, mailer, delivery } = parts
  if (roles.works && parts.partners.all.length === 0)
    log.warn('no rails connected; payments and payouts unavailable: set KOBO_RAILS_URL')
  if (roles.works && environment === 'live') await warnOfPlainEndpoints(core, log)

  const features = openFeatures(parts)
  const orderWork = orders.work(features.orders, parts.failures)
  const isOffered = (code: string): boolean => parts.partners.known(code)?.rails.returns.isOffered(code) === true
  const ownership = openOwnership(parts.partners, parts.virtualAccounts.sources, openViolations(parts))
  const receiveCredit = creditLane({ ...parts, receivers: features.receivers, returnRail: { isOffered }, ownership })
  const sweeps = openSweeps({
    ...parts,
    sweeps: [
      noticeSweep({ core, mailer, dashboardUrl, log }),
      auditSealing(core, headPublisher({ core, folder: config.dataDirectory, log })),
      ...(parts.auditStream === undefined ? [] : [parts.auditStream.sweep]),
      ...creditSweeps(core, receiveCredit),
      orderWork.decisions,
      ...retentionSweeps(core, config.keep),
      ...moneySweeps(core),
      ...parts.issuing.sweeps,
      ...features.all.flatMap((feature) => feature.sweeps ?? []),
      ...outboxSweeps(core),
      ...cleanupSweeps(core),
    ],
    before: [orderWork.sweep],
    after: delivery.works,
  })
  const sandbox = sandboxFeature.open({
    core,
    rules: config,
    receiveCredit,
    advanceTo: sweeps.advanceTo,
    environment,
    signatureHeaders: config.signatureHeaders,
    sources: parts.virtualAccounts.sources,
  })

  const { isStopping, drain } = openStopping(roles.serves)
  const http = openHttp({ log, metrics, tracing: parts.tracing, isStopping, ...httpOptionsOf(config, core, parts) })
  const once = openOnce(core, roles.requestLeaseSeconds)
  await serveAll(http, { ...parts, config, isStopping, once, receiveCredit, ownership }, [...features.all, sandbox])

  if (roles.serves) {
    await http.listen({ host: config.host, port: config.port })
    url = config.publicUrl ?? localUrl(http)
  }
  if (roles.works) for (const { start } of [delivery, orderWork, sweeps]) start()

  return {
    url,
    metrics,
    drain,
    close: async () => {
      await http.close()
      await parts.requestLog.close()
      await sweeps.stop()
      await orderWork.stop()
      await Promise.all(metrics.lanes().map(({ drained }) => drained()))
      await delivery.stop()
      await parts.tracing?.close()
      parts.close()
    },
  }
}

/** How often we refresh PostgreSQL's statistics. A new database grows faster than PostgreSQL refreshes them itself. */
const STATISTICS_SECONDS = 5

const cleanupSweeps = ({ db, wall }: Core): readonly Sweep[] => [
  {
    name: 'forget idempotency keys',
    runShard: (shard, at, limit) => deleteOldKeys(db, shard, at, limit),
    everySeconds: DELETION_SECONDS,
  },
  { name: 'forget counts', run: (_, limit) => deleteOldCounts(db, wall, limit), everySeconds: DELETION_SECONDS },
  { name: 'refresh statistics', run: (_, limit) => refreshStatistics(db, limit), everySeconds: STATISTICS_SECONDS },
]

/** Tracks whether this process is about to stop. Draining gives load balancers time to notice. */
function openStopping(serves: boolean): Pick<Gateway, 'drain'> & { readonly isStopping: () => boolean } {
  let stopping = false
  return {
    isStopping: () => stopping,
    drain: async (seconds) => {
      stopping = true
      if (serves && seconds > 0) await wait(seconds * 1_000)
    },
  }
}

const MERCHANTS_NAMED_MAX = 20

/**
 * Warns at every start about http:// webhook URLs. Live mode rejects new ones, but older ones still receive webhooks.
 */
async function warnOfPlainEndpoints({ db }: Core, log: Log): Promise<void> {
  const merchants = await selectPlainEndpoints(db, MERCHANTS_NAMED_MAX)
  if (merchants.length > 0) log.warn({ merchants }, 'webhooks sent unencrypted to http:// endpoints of these merchants')
}

function localUrl(http: FastifyInstance): string {
  const { port } = http.server.address() as AddressInfo
  return `http://localhost:${port}`
}
