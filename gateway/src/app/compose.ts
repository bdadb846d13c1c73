import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { openServe } from '../core/edge/http/index.ts'
import { type Once, openOnce } from '../core/edge/idempotency.ts'
import {
  type BuiltFiles,
  builtFileRoutes,
  inlineScriptRoutes,
  openPages,
  readBuiltFiles,
  unknownPages,
} from '../core/edge/pages/index.ts'
import { openRequestLog } from '../core/edge/request-log/index.ts'
import type { Feature } from '../core/feature.ts'
import { openMailer } from '../core/messages/mail.ts'
import { noticeSweep } from '../core/messages/notices.ts'
import { openDelivery, outboxSweeps, selectPlainReceivers } from '../core/messages/outbox/index.ts'
import { keepSources, openIssuing, openVirtualAccounts } from '../core/money/virtual-accounts/index.ts'
import { openOrders } from '../core/orders/index.ts'
import { retentionSweeps } from '../core/retention.ts'
import { openEnquiries } from '../core/routing/index.ts'
import { auditSealing, readHead } from '../core/security/audit-chain.ts'
import { openAuditTrail } from '../core/security/audit-trail.ts'
import { openLimits } from '../core/security/limits.ts'
import { openVault } from '../core/security/vault.ts'
import { openSessions } from '../core/sessions/index.ts'
import { authFeature } from '../features/auth/index.ts'
import { bankTransferFeature } from '../features/bank-transfer/index.ts'
import { bankFeature } from '../features/banks/index.ts'
import { billFeature } from '../features/bills/index.ts'
import { cardFeature, openDeclineGuard } from '../features/cards/index.ts'
import { cashCollectionFeature } from '../features/cash-collections/index.ts'
import { checkoutFeature } from '../features/checkout/index.ts'
import { directDebitFeature } from '../features/direct-debit/index.ts'
import { disbursementFeature } from '../features/disbursements/index.ts'
import { eventLogFeature } from '../features/event-log/index.ts'
import { invoiceFeature } from '../features/invoices/index.ts'
import { keyFeature } from '../features/keys/index.ts'
import { limitProfileFeature } from '../features/limit-profiles/index.ts'
import { operatorFeature } from '../features/operator/index.ts'
import { operatorOrderFeature } from '../features/operator-orders/index.ts'
import { overviewFeature } from '../features/overview/index.ts'
import { paycodeFeature } from '../features/paycodes/index.ts'
import { paymentLinkFeature } from '../features/payment-links/index.ts'
import { recurringFeature } from '../features/recurring/index.ts'
import { refundFeature } from '../features/refunds/index.ts'
import { reportFeature } from '../features/reports/index.ts'
import { requestLogFeature } from '../features/request-log/index.ts'
import { reservedAccountFeature } from '../features/reserved-accounts/index.ts'
import { returnFeature } from '../features/returns/index.ts'
import { sandboxFeature } from '../features/sandbox/index.ts'
import { settingsFeature } from '../features/settings/index.ts'
import { settlementFeature } from '../features/settlements/index.ts'
import { signInFeature } from '../features/sign-in/index.ts'
import { subAccountFeature } from '../features/sub-accounts/index.ts'
import { teamFeature } from '../features/team/index.ts'
import { openCheckoutLinks, transactionFeature } from '../features/transactions/index.ts'
import { verificationFeature } from '../features/verification/index.ts'
import { walletFeature } from '../features/wallets/index.ts'
import type { Config } from '../platform/config.ts'
import { eventStreams } from '../platform/event-streams.ts'
import { openFailures } from '../platform/failures.ts'
import { localHosts } from '../platform/hosts.ts'
import { openHttp } from '../platform/http.ts'
import type { Log } from '../platform/log.ts'
import { type Metrics, openMetrics } from '../platform/metrics.ts'
import { openPost } from '../platform/post.ts'
import { type Counter, counter, rateLimit } from '../platform/rate-limit.ts'
import { openSmtp } from '../platform/smtp.ts'
import { accessTokens } from '../platform/tokens.ts'
import { openTracing } from '../platform/tracing.ts'
import type { Core } from './core.ts'
import { conflictSweep, creditLane } from './credits.ts'
import { readCredentials } from './demo.ts'
import { measureLastClean } from './ledger.ts'
import { measureGateway } from './measured.ts'
import { nameEnquiry } from './name-enquiry.ts'
import { operationRoutes } from './operations.ts'
import { pageRoutes } from './pages.ts'
import { policyReportRoutes } from './policy-reports.ts'
import { railNoticeRoutes } from './rail-notices.ts'
import { openRails } from './rails.ts'
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
    core,
    failures: parts.failures,
    delivery,
    sweeps: [
      noticeSweep({ core, mailer, log }),
      auditSealing(core),
      conflictSweep(core, receiveCredit),
      orderWork.decisions,
      ...retentionSweeps(core, config.keep),
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
  const http = openHttp({ log, metrics, tracing: parts.tracing, isStopping, ...doorOf(config, core, parts.files) })
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

/** Serves all that is asked over HTTP: routes and pages of the features, files, what browsers, operators' tools and adapters tell. */
async function serveAll(
  http: FastifyInstance,
  deps: Awaited<ReturnType<typeof openParts>> & {
    readonly config: Config
    readonly isStopping: () => boolean
    readonly once: Once
    readonly receiveCredit: ReturnType<typeof creditLane>
  },
  features: readonly Feature[],
): Promise<void> {
  const {
    core,
    config,
    log,
    environment,
    metrics,
    tokens,
    once,
    orders,
    counted,
    shared,
    trail,
    receiveCredit,
    publicUrl,
    dashboardUrl,
    files,
    tellers,
    requestLog,
  } = deps
  const wrongLogins = shared(WRONG_LOGINS)
  const sessions = openSessions({ core, environment })
  const streams = eventStreams(http)
  const serve = openServe(http, {
    core,
    streams,
    once,
    tokens,
    trail,
    log,
    requestLog,
    environment,
    wrongLogins,
    sessions,
    dashboardUrl,
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
      receiveCredit,
      askAbout: orders.askAbout,
      enquireName: nameEnquiry(core, features),
    })
  pageRoutes(http, {
    environment,
    publicUrl,
    now: core.clock.now,
    credentials: () => readCredentials(core, publicUrl()),
  })
}

const MERCHANTS_NAMED_MAX = 20

/** Addresses that were set before live refused them still receive events: none is lost, and each is told of at every start. */
async function warnOfPlainReceivers({ db }: Core, log: Log): Promise<void> {
  const merchants = await selectPlainReceivers(db, MERCHANTS_NAMED_MAX)
  if (merchants.length > 0) log.warn({ merchants }, 'events of these merchants go to http:// addresses, in clear')
}

/** Logins with wrong keys in a network and for a merchant, over all nodes: who mistypes needs fewer. */
const WRONG_LOGINS = { name: 'wrong login', max: 20, seconds: 600 }
/** How often a merchant may have all events since a moment sent again, over all nodes. */
const RESENDS = { name: 'resend', max: 30, seconds: 3_600 }
const YEARS_2_SECONDS = 2 * 365 * 86_400

/** Whom the gateway lets in at all, and what it says of itself with every answer. */
const doorOf = (
  { environment, publicUrl, dashboardUrl, trustedProxies, rateLimit: limit }: Config,
  { wall, fitness }: Core,
  files: BuiltFiles,
) => ({
  trustedProxies,
  whyUnfit: fitness.whyUnfit,
  limited: rateLimit(wall, limit),
  showUnknown: unknownPages(files),
  ...(environment === 'sandbox'
    ? { answersTo: localHosts(publicUrl, dashboardUrl) }
    : { headers: { 'strict-transport-security': `max-age=${YEARS_2_SECONDS}` } }),
})

/** Where payers reach the gateway, and where people reach the dashboard. */
interface Addresses {
  readonly publicUrl: () => string
  readonly dashboardUrl: () => string
}

/** What features are made of. */
async function openParts(core: Core, config: Config, log: Log, { publicUrl, dashboardUrl }: Addresses) {
  const { environment, rateLimit: limits } = config
  const metrics = openMetrics()
  const tracing = openTracing({ ...config, log, count: metrics.spans })
  measureLastClean(metrics, core.db)
  measureGateway(metrics, core)
  const failures = openFailures(core.db, log)
  const { post, close: closePost } = openPost({
    allowPrivate: config.privateReceivers,
    ports: config.receiverPorts,
  })
  const { signatureHeaders } = config
  const delivery = openDelivery({ core, post, log, failures, metrics, tracing, signatureHeaders })
  const smtp = config.smtpUrl === undefined ? undefined : await openSmtp(config.smtpUrl, config.mailFrom)
  const { router, tellers, accessControl, closeRails } = await openRails(core, config, log, metrics)
  const orders = openOrders({ core, metrics, tracing, log, router })
  const issuing = openIssuing({ core, orders, log })
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
    mailer: openMailer({ core, log, smtp, keepsInbox: environment === 'sandbox' }),
    partners: router.partners,
    tellers,
    enquiries: openEnquiries(router),
    accessControl,
    orders,
    issuing,
    virtualAccounts: openVirtualAccounts((await keepSources(core.db, core.channels)).present, issuing),
    vault: openVault(core),
    declines: await openDeclineGuard({ core, metrics, isOn: config.cardTestingGuard }),
    tokens: accessTokens(core.keyring.tokenKeys, core.wall),
    trail: openAuditTrail(core, metrics),
    requestLog: openRequestLog({ core, environment, log, metrics }),
    /** Counts something per address, where requests are counted at all. */
    counted: (perMinute: number): Counter =>
      counter(core.wall, { ...limits, perMinute: limits.perMinute && perMinute }),
    /** Counts over all nodes what must not be tried out. */
    shared: openLimits({ db: core.db, wall: core.wall, limit: limits }),
    batchTransfersMax: config.batchTransfersMax,
    keep: config.keep,
    rules: config,
    close: (): void => {
      failures.close()
      closePost()
      closeRails()
      smtp?.close()
    },
  }
}

/** All features but the sandbox's own, which moves the clock of the others. */
function makeFeatures(parts: Awaited<ReturnType<typeof openParts>>) {
  const { core, log, metrics, environment, publicUrl, mailer, orders, enquiries, virtualAccounts, vault } = parts
  const { accessControl, batchTransfersMax, dashboardUrl, counted, declines, links, shared, tokens, trail } = parts

  const transactions = transactionFeature({ core, metrics, links })
  const cards = cardFeature({ core, orders, metrics, vault, log, accessControl, declines, links, publicUrl })
  const reservedAccounts = reservedAccountFeature({ core, virtualAccounts, keepIdentitiesDays: parts.keep.identities })
  const wallets = walletFeature({ core, metrics, virtualAccounts })
  const directDebit = directDebitFeature({ core, orders, mailer, virtualAccounts, environment, publicUrl })
  const disbursements = disbursementFeature({ core, orders, metrics, mailer, enquiries, batchTransfersMax })
  const refunds = refundFeature({ core, orders, enquiries })
  const returns = returnFeature({ core, orders, log })
  const settlements = settlementFeature({ core, orders })
  const bills = billFeature({ core, orders, enquiries })
  const all: readonly Feature[] = [
    authFeature({ tokens }),
    bankFeature(),
    transactions,
    bankTransferFeature({ core, metrics, virtualAccounts }),
    cards,
    recurringFeature({ core, vault, cards: cards.cards }),
    checkoutFeature({ core, metrics, environment, cards: cards.cards, virtualAccounts, counted, links, publicUrl }),
    limitProfileFeature({ core }),
    reservedAccounts,
    invoiceFeature({ core, virtualAccounts, links }),
    paymentLinkFeature({ core, environment, links, counted, publicUrl }),
    subAccountFeature({ core, enquiries }),
    settlements,
    refunds,
    returns,
    wallets,
    disbursements,
    directDebit,
    bills,
    verificationFeature({ core, enquiries, environment }),
    paycodeFeature({ core }),
    cashCollectionFeature({ core }),
    signInFeature({ core, environment, dashboardUrl, mailer, trail, shared }),
    teamFeature({ core, mailer, dashboardUrl }),
    keyFeature({ core }),
    operatorOrderFeature({ core }),
    operatorFeature({ core, rules: parts.rules, mailer, dashboardUrl }),
    settingsFeature({ core, rules: parts.rules }),
    eventLogFeature({ core, resends: parts.shared(RESENDS) }),
    requestLogFeature({ core }),
    reportFeature({ core, publicUrl }),
    overviewFeature({ core, log }),
  ]
  return {
    all,
    orders: {
      ...disbursements.orders,
      ...refunds.orders,
      ...returns.orders,
      ...settlements.orders,
      ...bills.orders,
      ...directDebit.orders,
      ...cards.orders,
      ...parts.issuing.orders,
    },
    receivers: {
      ...transactions.receives,
      ...wallets.receives,
      ...directDebit.receives,
      ...reservedAccounts.receives,
    },
  }
}

function localUrl(http: FastifyInstance): string {
  const { port } = http.server.address() as AddressInfo
  return `http://localhost:${port}`
}
