import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { openOnce } from '../core/edge/idempotency.ts'
import { noticeSweep } from '../core/messages/notices.ts'
import { outboxSweeps, selectPlainReceivers } from '../core/messages/outbox/index.ts'
import { moneySweeps } from '../core/money/sweeps.ts'
import { retentionSweeps } from '../core/retention.ts'
import { auditSealing } from '../core/security/audit-chain.ts'
import { sandboxFeature } from '../features/sandbox/index.ts'
import type { Config } from '../platform/config.ts'
import { openHttp } from '../platform/http.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { Core } from './core.ts'
import { creditLane, creditSweeps } from './credits.ts'
import { makeFeatures } from './features.ts'
import { openParts } from './parts.ts'
import { doorOf, serveAll } from './serving.ts'
import { openSweeps } from './sweeps.ts'

/** A gateway that runs: it serves the API, or works in the background, or both. */
export interface Gateway {
  /** Where customers and merchants reach it. */
  readonly url: string
  /** Serves on for so long, but says that it is not ready, and asks callers to come back on other connections. */
  readonly drain: (seconds: number) => Promise<void>
  /** Answers what is under way, takes nothing new, and waits for both. */
  readonly close: () => Promise<void>
  /** What this process measures. */
  readonly metrics: Metrics
}

export interface Roles {
  readonly serves: boolean
  readonly works: boolean
  /** After so long without a sign of life a request with an Idempotency-Key is taken for dead, where that is not the usual time: tests do not wait. */
  readonly requestLeaseSeconds?: number
}

/** Opens the parts, makes the features, and starts what they describe. */
export async function startGateway(core: Core, config: Config, log: Log, roles: Roles): Promise<Gateway> {
  let url = config.publicUrl ?? ''
  const publicUrl = (): string => url
  const dashboardUrl = (): string => config.dashboardUrl ?? url
  const parts = await openParts(core, config, log, { publicUrl, dashboardUrl })
  const { environment, metrics, orders, mailer, delivery } = parts
  if (roles.works && parts.partners.all.length === 0)
    log.warn('no rails are connected, so money can neither be sent nor asked about: set KOBO_RAILS_URL')
  if (roles.works && environment === 'live') await warnOfPlainReceivers(core, log)

  const features = makeFeatures(parts)
  const orderWork = orders.work(features.orders, parts.failures)
  const returnRail = {
    isOffered: (code: string) => parts.partners.known(code)?.rails.returns.isOffered(code) === true,
  }
  const receiveCredit = creditLane({ core, log, metrics, receivers: features.receivers, returnRail })
  const sweeps = openSweeps({
    ...parts,
    sweeps: [
      noticeSweep({ core, mailer, log }),
      auditSealing(core),
      ...creditSweeps(core, receiveCredit),
      orderWork.decisions,
      ...retentionSweeps(core, config.keep),
      ...moneySweeps(core),
      ...parts.issuing.sweeps,
      ...features.all.flatMap((feature) => feature.sweeps ?? []),
      ...outboxSweeps(core),
    ],
    workers: [orderWork.sweep],
  })
  const sandbox = sandboxFeature({
    core,
    rules: config,
    receiveCredit,
    advanceTo: sweeps.advanceTo,
    environment,
    signatureHeaders: config.signatureHeaders,
    sources: parts.virtualAccounts.sources,
  })

  const { isStopping, drain } = openStopping(roles.serves)
  const http = openHttp({ log, metrics, tracing: parts.tracing, isStopping, ...doorOf(config, core, parts) })
  const once = openOnce(core, roles.requestLeaseSeconds)
  await serveAll(http, { ...parts, config, isStopping, once, receiveCredit }, [...features.all, sandbox])

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

/** Whether this process is about to stop, and how it says so for a while before it does. */
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

/** Addresses that were set before live refused them still receive events: none is lost, and each is told of at every start. */
async function warnOfPlainReceivers({ db }: Core, log: Log): Promise<void> {
  const merchants = await selectPlainReceivers(db, MERCHANTS_NAMED_MAX)
  if (merchants.length > 0) log.warn({ merchants }, 'events of these merchants go to http:// addresses, in clear')
}

function localUrl(http: FastifyInstance): string {
  const { port } = http.server.address() as AddressInfo
  return `http://localhost:${port}`
}
