import { cacheSources, openIssuing, openVirtualAccounts } from '../core/account-numbers/index.ts'
import { readBuiltFiles } from '../core/edge/pages/index.ts'
import { openRequestLog } from '../core/edge/request-recorder/index.ts'
import { openCustomerMails } from '../core/messages/customer-mails.ts'
import { openMailer } from '../core/messages/mail.ts'
import { openDeliveries } from '../core/messages/outbox/index.ts'
import { openOrders } from '../core/orders/index.ts'
import { openEnquiries } from '../core/routing/index.ts'
import { countUnsent, openAuditStream } from '../core/security/audit-stream.ts'
import { openAuditTrail } from '../core/security/audit-trail.ts'
import { openLimits } from '../core/security/limits.ts'
import { openReceiptKeys } from '../core/security/receipt-keys.ts'
import { openVault } from '../core/security/vault.ts'
import { openPeers } from '../core/timeline.ts'
import { openDeclineGuard } from '../features/cards/index.ts'
import { measureGateway } from '../features/monitoring/index.ts'
import { openProviders } from '../features/sign-on/index.ts'
import { openCheckoutLinks } from '../features/transactions/index.ts'
import type { Config } from '../platform/config/config.ts'
import { accessTokens } from '../platform/http/access-tokens.ts'
import { openPost } from '../platform/http/post-json.ts'
import { type Counter, counter } from '../platform/http/rate-limit.ts'
import { openFailures } from '../platform/lanes/failures.ts'
import { type Metrics, openMetrics } from '../platform/metrics/metrics.ts'
import type { Log } from '../platform/observability/log.ts'
import { openTracing } from '../platform/observability/tracing.ts'
import { openSmtp } from '../platform/smtp.ts'
import type { Core } from './core.ts'
import { openRails } from './rails.ts'

export interface Addresses {
  readonly publicUrl: () => string
  readonly dashboardUrl: () => string
}

/** Opens the parts of a gateway, once per process. */
export async function openParts(core: Core, config: Config, log: Log, { publicUrl, dashboardUrl }: Addresses) {
  const { environment, rateLimit: limits } = config
  const metrics = openMetrics()
  const tracing = openTracing({ ...config, log, count: metrics.spans })
  measureGateway(metrics, core, config.floatMinimum)
  const failures = openFailures(core.db, log)
  const { post, close: closePost } = openPost({
    allowPrivate: config.privateWebhooks,
    ports: config.receiverPorts,
  })
  const providers = openProviders({ core, config })
  const delivery = openDeliveries({ ...config, core, post, log, failures, metrics, tracing })
  const smtp = config.smtpUrl === undefined ? undefined : await openSmtp(config.smtpUrl, config.mailFrom)
  const { router, notifyingPartners, accessControl, closeRails } = await openRails(core, config, log, metrics)
  const orders = openOrders({ core, metrics, tracing, log, router })
  const issuing = openIssuing({ core, orders, log })
  const trail = openAuditTrail(core, metrics)
  const auditStream = openAuditStreamOf(core, config, log, metrics)
  const peers = core.fence && config.peers.length > 0 ? openPeers(config.peers, core.fence, core.keyring) : undefined
  const openSharedLimit = openLimits({ ...core, trail, limit: limits })
  return {
    core,
    files: readBuiltFiles(),
    log,
    failures,
    metrics,
    tracing,
    environment,
    publicUrl,
    dashboardUrl,
    links: openCheckoutLinks(core.keyring, publicUrl),
    delivery,
    providers,
    mailer: openMailer({ core, log, smtp, keepsInbox: environment === 'sandbox', count: metrics.mail }),
    partners: router.partners,
    notifyingPartners,
    enquiries: openEnquiries(router),
    accessControl,
    orders,
    issuing,
    virtualAccounts: openVirtualAccounts((await cacheSources(core.db, core.channels)).present, issuing, core.ids.cell),
    vault: openVault(core),
    receiptKeys: await openReceiptKeys(core, core.clock.now()),
    declines: await openDeclineGuard({ core, metrics, isOn: config.cardTestingGuard }),
    tokens: accessTokens(core.keyring.tokenKeys, core.wall),
    trail,
    auditStream,
    requestLog: openRequestLog({ core, environment, log, metrics }),
    /** Opens a counter of requests per address, unlimited if rate limits are off. */
    openCounter: (perMinute: number): Counter =>
      counter(core.wall, { ...limits, perMinute: limits.perMinute && perMinute }),
    /** Opens a limit on attempts that all nodes share. */
    openSharedLimit,
    customerMails: openCustomerMails(openSharedLimit),
    batchTransfersMax: config.batchTransfersMax,
    keep: config.keep,
    rules: config,
    /** The other processes of this gateway, if the configuration names any. */
    peers,
    close: (): void => {
      failures.close()
      closePost()
      providers.close()
      closeRails()
      smtp?.close()
      auditStream?.close()
      peers?.close()
    },
  }
}

/** Opens the stream of audit records to the syslog server, if one is configured. */
function openAuditStreamOf(core: Core, { auditSyslog: url }: Config, log: Log, metrics: Metrics) {
  if (url === undefined) return undefined
  metrics.sharedGauge('kobo_audit_unsent', 'Audit records waiting for the syslog server', 'of', async () => [
    ['syslog', await countUnsent(core.db, url)],
  ])
  return openAuditStream({ core, log, url })
}

export type Parts = Awaited<ReturnType<typeof openParts>>
