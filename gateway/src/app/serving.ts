import type { FastifyInstance } from 'fastify'
import { openServe } from '../core/edge/http/index.ts'
import type { Once } from '../core/edge/idempotency.ts'
import { builtFileRoutes, inlineScriptRoutes, openPages, unknownPages } from '../core/edge/pages/index.ts'
import type { Feature } from '../core/feature.ts'
import { readHead } from '../core/security/audit-chain.ts'
import { openSessions } from '../core/sessions/index.ts'
import { receiveDispute } from '../features/disputes/index.ts'
import type { Config } from '../platform/config.ts'
import { eventStreams } from '../platform/event-streams.ts'
import { localHosts } from '../platform/hosts.ts'
import { rateLimit } from '../platform/rate-limit.ts'
import type { Core } from './core.ts'
import type { creditLane } from './credits.ts'
import { readCredentials } from './demo.ts'
import { nameEnquiry } from './name-enquiry.ts'
import { operationRoutes } from './operations.ts'
import { pageRoutes } from './pages.ts'
import type { Parts } from './parts.ts'
import { policyReportRoutes } from './policy-reports.ts'
import { railNoticeRoutes } from './rail-notices.ts'

/** Logins with wrong keys in a network and for a merchant, over all nodes: who mistypes needs fewer. */
const WRONG_LOGINS = { name: 'wrong login', max: 20, seconds: 600 }
const YEARS_2_SECONDS = 2 * 365 * 86_400

/** Whom the gateway lets in at all, and what it says of itself with every answer. */
export const doorOf = (
  { environment, publicUrl, dashboardUrl, trustedProxies, rateLimit: limit }: Config,
  { wall, fitness }: Core,
  { files, failures }: Pick<Parts, 'files' | 'failures'>,
) => ({
  trustedProxies,
  whyUnfit: fitness.whyUnfit,
  limited: rateLimit(wall, limit),
  showUnknown: unknownPages(files),
  onDatabaseLoss: (facts: { readonly error: Error }) =>
    void failures.tell(facts, 'a request lost its connection to the database'),
  ...(environment === 'sandbox'
    ? { answersTo: localHosts(publicUrl, dashboardUrl) }
    : { headers: { 'strict-transport-security': `max-age=${YEARS_2_SECONDS}` } }),
})

/** Serves all that is asked over HTTP: routes and pages of the features, files, what browsers, operators' tools and adapters tell. */
export async function serveAll(
  http: FastifyInstance,
  deps: Parts & {
    readonly config: Config
    readonly isStopping: () => boolean
    readonly once: Once
    readonly receiveCredit: ReturnType<typeof creditLane>
  },
  features: readonly Feature[],
): Promise<void> {
  const { core, config, environment, metrics, counted, publicUrl, files, tellers, log } = deps
  const streams = eventStreams(http)
  const serve = openServe(http, {
    ...deps,
    streams,
    wrongLogins: deps.shared(WRONG_LOGINS),
    sessions: openSessions({ core, environment }),
  })
  metrics.sharedGauge('kobo_audit_head', 'How long the chain of the audit is, by its newest hash', 'hash', async () => {
    const { number, hash } = await readHead(core.db)
    return [[hash.toString('hex'), Number(number)]]
  })
  const pages = openPages(http, { files, streams })
  for (const { routes } of features) routes(serve, pages)
  builtFileRoutes(http, files)
  await inlineScriptRoutes(http, { db: core.db, wall: core.wall, files })
  policyReportRoutes(http, { metrics, counted })
  operationRoutes(http, { core, metrics, isStopping: deps.isStopping, counted })
  if (tellers.length > 0)
    railNoticeRoutes(http, {
      tellers,
      protocol: config.railsProtocol,
      wall: core.wall,
      counted,
      receiveCredit: deps.receiveCredit,
      receiveDispute: (dispute) => receiveDispute(core, log, dispute),
      askAbout: deps.orders.askAbout,
      enquireName: nameEnquiry(core, features),
    })
  pageRoutes(http, {
    environment,
    publicUrl,
    now: core.clock.now,
    credentials: () => readCredentials(core, publicUrl()),
  })
}
