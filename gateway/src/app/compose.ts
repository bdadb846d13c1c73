import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { openServe } from '../core/http/index.ts'
import { openMailer } from '../core/mail.ts'
import { noticeSweep } from '../core/notices.ts'
import { openOrders } from '../core/orders/index.ts'
import { delivery as openDelivery } from '../core/outbox/index.ts'
import { builtFileRoutes, openPages, readBuiltFiles } from '../core/pages/index.ts'
import { openVault } from '../core/vault.ts'
import { virtualAccounts } from '../core/virtual-accounts/index.ts'
import { billSweeps, vendOrders } from '../features/bills/index.ts'
import { openCards } from '../features/cards/index.ts'
import { debitOrders, directDebitSweeps, mandateLinks } from '../features/direct-debit/index.ts'
import { disbursementSweeps, transferOrders } from '../features/disbursements/index.ts'
import { paycodeSweeps } from '../features/paycodes/index.ts'
import { refundOrders } from '../features/refunds/index.ts'
import { payoutOrders, settlementSweeps } from '../features/settlements/index.ts'
import { transactionSweeps } from '../features/transactions/index.ts'
import type { Config } from '../platform/config.ts'
import { openHttp } from '../platform/http.ts'
import type { Log } from '../platform/log.ts'
import { openMetrics } from '../platform/metrics.ts'
import { openPost } from '../platform/post.ts'
import { counter, rateLimit } from '../platform/rate-limit.ts'
import { openSmtp } from '../platform/smtp.ts'
import { accessTokens } from '../platform/tokens.ts'
import { absentRails } from '../rails/absent.ts'
import { httpRails } from '../rails/http/index.ts'
import type { Rails } from '../rails/index.ts'
import { type AccessControl, simulatedAccessControl, simulatedBook, simulatedRails } from '../rails/simulated/index.ts'
import type { Core } from './core.ts'
import { creditLane } from './credits.ts'
import { operationRoutes } from './operations.ts'
import { pageRoutes } from './pages.ts'
import { railCreditRoutes } from './rail-credits.ts'
import { mount } from './routes.ts'
import { sweeps as openSweeps } from './sweeps.ts'

/** A gateway that runs: it serves the API, or works in the background, or both. */
export interface Gateway {
  /** Where customers and merchants reach it. */
  readonly url: string
  /** Answers what is under way, takes nothing new, and waits for both. */
  readonly close: () => Promise<void>
}

export interface Roles {
  readonly serves: boolean
  readonly works: boolean
}

/** Wires everything together, a line each, and starts it. */
export async function startGateway(core: Core, config: Config, log: Log, roles: Roles): Promise<Gateway> {
  const { db, clock, wall, ids, keyring, directory } = core
  const { environment } = config
  const metrics = openMetrics()
  const { post, close: closePost } = openPost({ allowPrivate: environment === 'sandbox' })
  const delivery = openDelivery({ core, post, log, metrics, signatureHeaders: config.signatureHeaders })
  const smtp = config.smtpUrl === undefined ? undefined : await openSmtp(config.smtpUrl, config.mailFrom)
  const keepsInbox = environment === 'sandbox'
  const mailer = openMailer({ core, log, smtp, keepsInbox })
  const { rails, partner, accessControl, closeRails } = openRails(core, config, log, roles)
  const pokeDelivery = delivery.wake
  core.wakeups.onWake('events', delivery.wake)
  const orders = openOrders({ core, metrics, log, partner })
  const transfers = transferOrders({ core, orders, rail: rails.transfer })
  const vends = vendOrders({ core, orders, rail: rails.biller })
  const accounts = virtualAccounts()
  let url = config.publicUrl ?? ''
  const publicUrl = (): string => url
  const vault = openVault(keyring)
  const cards = openCards({ core, orders, metrics, vault, log, rails, publicUrl })
  const debits = debitOrders({ orders, rail: rails.debit })
  const orderWork = orders.work({
    transfer: transfers,
    refund: refundOrders({ core, orders, rails }),
    'settlement-payout': payoutOrders({ core, orders, rail: rails.transfer }),
    vend: vends,
    debit: debits,
    ...cards.orders,
  })
  const links = mandateLinks({ keyring, environment, publicUrl })
  const receiveCredit = creditLane({ core, metrics })
  const sweeps = openSweeps({
    db,
    clock,
    log,
    delivery,
    // What falls due, feature by feature.
    features: [
      noticeSweep({ core, mailer, log }),
      ...transactionSweeps(core),
      ...settlementSweeps(core),
      ...disbursementSweeps({ core, mailer }),
      ...billSweeps(core),
      ...paycodeSweeps(core),
      ...directDebitSweeps({ core, mailer, virtualAccounts: accounts, links }),
    ],
    workers: [orderWork.sweep],
  })
  const tokens = accessTokens(keyring.derive('access tokens'), wall)

  const http = openHttp({ log, metrics, trustedProxies: config.trustedProxies })
  const limited = rateLimit(wall, config.rateLimit)
  const serve = openServe(http, { core, tokens, environment, limited })
  const files = readBuiltFiles()
  mount(serve, {
    core,
    orders,
    db,
    clock,
    wall,
    ids,
    keyring,
    directory,
    tokens,
    metrics,
    mailer,
    rails,
    transfers,
    vends,
    debits,
    batchTransfersMax: config.batchTransfersMax,
    vault,
    cards,
    accessControl,
    environment,
    counted: (perMinute) => counter(wall, { ...config.rateLimit, perMinute: config.rateLimit.perMinute && perMinute }),
    pages: openPages(http, { files, limited }),
    virtualAccounts: accounts,
    publicUrl,
    receiveCredit,
    liveUntil: sweeps.liveUntil,
    pokeDelivery,
  })
  builtFileRoutes(http, files)
  operationRoutes(http, { db, metrics })
  if (config.railsSecret !== undefined) railCreditRoutes(http, { secret: config.railsSecret, wall, receiveCredit })
  pageRoutes(http, { environment, publicUrl })

  if (roles.serves) {
    await http.listen({ host: config.host, port: config.port })
    url = config.publicUrl ?? localUrl(http)
  }
  if (roles.works) {
    delivery.start()
    orderWork.start()
    sweeps.start()
  }

  return {
    url,
    close: async () => {
      await http.close()
      await sweeps.stop()
      await orderWork.stop()
      await Promise.all(metrics.lanes().map(({ drained }) => drained()))
      await delivery.stop()
      closePost()
      closeRails()
      smtp?.close()
    },
  }
}

/** The adapter's rails where one is named; else those of the sandbox, or none. */
function openRails(
  { db, clock, wall }: Core,
  { environment, railsUrl, railsSecret }: Config,
  log: Log,
  { works }: Roles,
): {
  readonly rails: Rails
  /** What the partner behind them is called. */
  readonly partner: string
  readonly accessControl?: AccessControl
  readonly closeRails: () => void
} {
  if (railsUrl !== undefined && railsSecret !== undefined) {
    const { rails, close } = httpRails({ url: railsUrl, secret: railsSecret, wall, log })
    return { rails, partner: 'adapter', closeRails: close }
  }
  if (environment === 'sandbox') {
    const world = { clock, book: simulatedBook(db) }
    return {
      rails: simulatedRails(world),
      partner: 'simulated',
      accessControl: simulatedAccessControl(world),
      closeRails: () => {},
    }
  }
  if (works) log.warn('no rails are connected, so money can neither be sent nor asked about: set KOBO_RAILS_URL')
  return { rails: absentRails, partner: 'none', closeRails: () => {} }
}

function localUrl(http: FastifyInstance): string {
  const { port } = http.server.address() as AddressInfo
  return `http://localhost:${port}`
}
