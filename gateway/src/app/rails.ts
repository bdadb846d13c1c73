import type { Core } from '../core/core.ts'
import { openReports, openRouter, openRoutingTables, type Router } from '../core/routing/index.ts'
import type { Config } from '../platform/config.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import { httpRails } from '../rails/http/index.ts'
import { ADAPTER, connectedPartners, noPartners, onePartner, type Partners } from '../rails/partners.ts'
import type { Keys } from '../rails/protocol/index.ts'
import {
  type AccessControl,
  SIMULATED,
  simulatedAccessControl,
  simulatedBook,
  simulatedRails,
} from '../rails/simulated/index.ts'

/** Who may tell of what happened at a partner. */
export interface Teller {
  /** What the partner is called where money arrives: a credit is known by it for ever. */
  readonly partner: string
  readonly keys: Keys
  /** Notes that it was heard. */
  readonly heard: () => void
}

/** The rails in use. */
export interface OpenedRails {
  /** Chooses among the partners. */
  readonly router: Router
  readonly tellers: readonly Teller[]
  /** The simulated issuer's, in the sandbox. */
  readonly accessControl?: AccessControl
  readonly closeRails: () => void
}

/** Opens the way to the partners, and what chooses among them. */
export async function openRails(core: Core, config: Config, log: Log, metrics: Metrics): Promise<OpenedRails> {
  const { partners, closePartners, ...opened } = openPartners(core, config, log, metrics)
  const tables = await openRoutingTables(core, log)
  const router = openRouter({ partners, wall: core.wall, table: tables.present })
  metrics.gauge(
    'kobo_partner_breaker_open',
    '1 for a partner and an operation for which nothing new is sent there for a while',
    'of',
    async () =>
      router.health
        .states()
        .map(({ partner, operation, state }) => [`${partner} ${operation}`, state === 'closed' ? 0 : 1] as const),
  )
  const reports = config.railsAddresses.length === 0 ? undefined : openReports(core, router, log)
  return {
    ...opened,
    router,
    closeRails: () => {
      reports?.stop()
      closePartners()
    },
  }
}

interface OpenedPartners extends Pick<OpenedRails, 'tellers' | 'accessControl'> {
  readonly partners: Partners
  readonly closePartners: () => void
}

/** The adapters where some are named; else the sandbox's own partner, or none. */
function openPartners({ db, clock, wall }: Core, config: Config, log: Log, metrics: Metrics): OpenedPartners {
  const { environment, railsAddresses, railsProtocol } = config
  if (railsAddresses.length > 0) {
    const opened = railsAddresses.map(({ code, url }) => {
      const { secret, also } = keysOf(config, code)
      const rails = httpRails({
        url,
        code,
        secret,
        secretAlso: also,
        protocol: railsProtocol,
        wall,
        log,
        onAnswer: (operation, answer, seconds) =>
          metrics.partnerAsked(rails.code() ?? ADAPTER, operation, answer, seconds),
      })
      return { rails, teller: { partner: code ?? ADAPTER, keys: { secret, also }, heard: rails.heard } }
    })
    // Where the operator names partners, it is known early what each can do.
    if (railsAddresses.some(({ code }) => code !== undefined)) for (const { rails } of opened) void rails.connect()
    return {
      partners: connectedPartners(opened.map(({ rails }) => rails)),
      tellers: opened.map(({ teller }) => teller),
      closePartners: () => {
        for (const { rails } of opened) rails.close()
      },
    }
  }
  // A secret alone is enough to be told of money that arrived.
  const [secret] = config.railsSecrets
  const tellers = secret === undefined ? [] : [{ partner: ADAPTER, keys: keysOf(config, undefined), heard: () => {} }]
  const closePartners = (): void => {}
  if (environment === 'live') return { partners: noPartners, tellers, closePartners }
  const world = { clock, book: simulatedBook(db) }
  return {
    partners: onePartner(SIMULATED, simulatedRails(world)),
    tellers,
    accessControl: simulatedAccessControl(world),
    closePartners,
  }
}

/** The secrets of a partner: the settings were read, so it has one. */
function keysOf({ railsSecrets, railsSecretsAlso }: Config, code: string | undefined): Keys {
  const [first] = railsSecrets
  const of = (all: Config['railsSecrets']) => all.find((one) => one.code === code)?.secret
  const secret = of(railsSecrets) ?? first?.secret
  if (secret === undefined) throw new Error('A partner has no secret')
  return { secret, also: of(railsSecretsAlso) }
}
