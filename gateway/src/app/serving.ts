import type { FastifyInstance } from 'fastify'
import { openServe } from '../core/edge/http/index.ts'
import type { Once } from '../core/edge/idempotency.ts'
import { builtFileRoutes, inlineScriptRoutes, openPages, unknownPages } from '../core/edge/pages/index.ts'
import type { OpenFeature } from '../core/feature.ts'
import { readHead } from '../core/security/audit-chain.ts'
import { openSessions } from '../core/sessions/index.ts'
import { openSecondPerson } from '../features/approvals/index.ts'
import { receiveDispute } from '../features/disputes/index.ts'
import type { creditLane, Ownership } from '../features/inbound-credits/index.ts'
import { nameEnquiry, railNotificationRoutes } from '../features/inbound-credits/index.ts'
import { operationRoutes } from '../features/monitoring/index.ts'
import { verifierRoutes } from '../features/receipts/index.ts'
import { readCredentials } from '../features/sandbox/index.ts'
import { pageRoutes, policyReportRoutes } from '../features/site/index.ts'
import type { Config } from '../platform/config/config.ts'
import { eventStreams } from '../platform/http/event-streams.ts'
import { localHosts } from '../platform/http/host-names.ts'
import { rateLimit } from '../platform/http/rate-limit.ts'
import type { Core } from './core.ts'
import type { Parts } from './parts.ts'

/** The limit on failed logins per network and merchant, across all nodes. */
const WRONG_LOGINS = { name: 'wrong login', max: 20, seconds: 600 }
/** The limit on calls with API keys instead of a token, per network. Each call costs as much as a login. */
const KEY_CALLS_PER_MINUTE_MAX = 600
const HSTS_MAX_AGE_SECONDS = 2 * 365 * 86_400

/** Returns the connection rules and the headers of every response. */
export const httpOptionsOf = (
  { environment, publicUrl, dashboardUrl, trustedProxies, rateLimit: limit }: Config,
  { wall, nodeLease }: Core,
  { files, failures }: Pick<Parts, 'files' | 'failures'>,
) => ({
  trustedProxies,
  whyUnhealthy: nodeLease.whyUnhealthy,
  limited: rateLimit(wall, limit),
  showUnknown: unknownPages(files),
  onDatabaseLoss: (facts: { readonly error: Error }) =>
    void failures.report(facts, 'database connection lost during request'),
  ...(environment === 'sandbox'
    ? { servesHost: localHosts(publicUrl, dashboardUrl) }
    : { headers: { 'strict-transport-security': `max-age=${HSTS_MAX_AGE_SECONDS}` } }),
})

/**
 * Serves everything over HTTP: the features' routes and pages, files, health and metrics, browsers' reports of policy
 * violations, and partners' notifications.
 */
export async function serveAll(
  http: FastifyInstance,
  deps: Parts & {
    readonly config: Config
    readonly isStopping: () => boolean
    readonly once: Once
    readonly receiveCredit: ReturnType<typeof creditLane>
    readonly ownership: Ownership
  },
  features: readonly OpenFeature[],
): Promise<void> {
  const { core, config, environment, metrics, openCounter, publicUrl, files, notifyingPartners, log, ownership } = deps
  const streams = eventStreams(http)
  const serve = openServe(http, {
    ...deps,
    streams,
    wrongLogins: deps.openSharedLimit(WRONG_LOGINS),
    keyCalls: openCounter(KEY_CALLS_PER_MINUTE_MAX),
    secondPerson: openSecondPerson(core),
    sessions: openSessions({ core, environment, operatorSignOn: deps.providers.operator }),
  })
  metrics.sharedGauge('kobo_audit_head', 'Length of the audit chain, labelled by its newest hash', 'hash', async () => {
    const { number, hash } = await readHead(core.db)
    return [[hash.toString('hex'), Number(number)]]
  })
  const pages = openPages(http, { files, streams })
  for (const { routes } of features) routes(serve, pages)
  builtFileRoutes(http, files)
  await inlineScriptRoutes(http, { db: core.db, wall: core.wall, files })
  verifierRoutes(http, deps)
  policyReportRoutes(http, { metrics, openCounter })
  operationRoutes(http, { core, metrics, isStopping: deps.isStopping, peers: deps.peers, openCounter })
  if (notifyingPartners.length > 0)
    railNotificationRoutes(http, {
      notifyingPartners,
      protocol: config.railsProtocol,
      core,
      violation: ownership.violation,
      openCounter,
      receiveCredit: deps.receiveCredit,
      receiveDispute: (dispute) =>
        receiveDispute({ core, log, partners: deps.partners, violation: ownership.violation }, dispute),
      queryAbout: deps.orders.queryAbout,
      enquireName: nameEnquiry(core, features, ownership),
    })
  pageRoutes(http, {
    environment,
    publicUrl,
    now: core.clock.now,
    credentials: () => readCredentials(core, publicUrl()),
  })
}
