import type { Core } from '../core/core.ts'
import { openReports, openRouter, openRoutingTable, type Router } from '../core/routing/index.ts'
import type { NotifyingPartner } from '../features/inbound-credits/index.ts'
import type { Config } from '../platform/config/config.ts'
import type { Metrics } from '../platform/metrics/metrics.ts'
import type { Log } from '../platform/observability/log.ts'
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

export interface OpenedRails {
  readonly router: Router
  readonly notifyingPartners: readonly NotifyingPartner[]
  /** The simulated card issuer, in the sandbox. */
  readonly accessControl?: AccessControl
  readonly closeRails: () => void
}

/** Opens the connections to partners, and the router. */
export async function openRails(core: Core, config: Config, log: Log, metrics: Metrics): Promise<OpenedRails> {
  const { partners, closePartners, ...opened } = await openPartners(core, config, log, metrics)
  const tables = await openRoutingTable(core, log)
  const router = openRouter({ partners, wall: core.wall, table: tables.present })
  metrics.instantGauge('kobo_partner_up', '1 if a partner’s adapter responds', 'partner', () =>
    partners.all.flatMap(({ code, facts }) => {
      const { isAway } = facts()
      return isAway === undefined ? [] : [[code() ?? ADAPTER, isAway ? 0 : 1] as const]
    }),
  )
  metrics.instantGauge(
    'kobo_partner_breaker_open',
    '1 if Kobo has paused new orders of an operation to a partner',
    'of',
    () =>
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

/** Thrown in live mode if an adapter only simulates payments. The gateway then does not start. */
export class SimulatedRails extends Error {
  constructor(addresses: readonly { readonly code: string | undefined; readonly url: string }[]) {
    const named = addresses.map(({ code, url }) => code ?? url).join(', ')
    super(`KOBO_RAILS_URL has an adapter that only simulates payments: ${named} (KOBO_ALLOW=simulated-rails allows it)`)
  }
}

interface OpenedPartners extends Pick<OpenedRails, 'notifyingPartners' | 'accessControl'> {
  readonly partners: Partners
  readonly closePartners: () => void
}

/** Opens the configured adapters. Without any, a sandbox gets its simulated partner, and live mode gets none. */
async function openPartners(
  { db, clock, wall }: Core,
  config: Config,
  log: Log,
  metrics: Metrics,
): Promise<OpenedPartners> {
  const { environment, railsAddresses, railsProtocol, allowed } = config
  if (railsAddresses.length > 0) {
    const opened = railsAddresses.map(({ code, url }) => {
      const { secret, also } = keysOf(config, code)
      const rails = httpRails({
        url,
        code,
        secret,
        secretAlso: also,
        protocol: railsProtocol,
        allowsSimulated: environment === 'sandbox' || allowed.includes('simulated-rails'),
        wall,
        log,
        onResponse: (operation, response, seconds) =>
          metrics.partnerRequest(rails.code() ?? ADAPTER, operation, response, seconds),
      })
      return { rails, partner: notifyingPartnerOf(rails, code, { secret, also }) }
    })
    const closePartners = (): void => {
      for (const { rails } of opened) rails.close()
    }
    // Live mode waits for the connections, because it must know whether payments are real.
    const connect = () => Promise.all(opened.map(({ rails }) => rails.connect()))
    if (environment === 'live') await connect()
    else if (railsAddresses.some(({ code }) => code !== undefined)) void connect()
    const simulated = railsAddresses.filter((_, nth) => opened[nth]?.rails.isRejected() === true)
    if (simulated.length > 0) {
      closePartners()
      throw new SimulatedRails(simulated)
    }
    return {
      partners: connectedPartners(
        opened.map(({ rails }) => rails),
        environment === 'sandbox' ? [SIMULATED] : [],
      ),
      notifyingPartners: opened.map(({ partner }) => partner),
      closePartners,
    }
  }
  // An adapter without a URL can still send notifications, if its secret is configured.
  const [secret] = config.railsSecrets
  const notifyingPartners =
    secret === undefined
      ? []
      : [
          {
            partner: ADAPTER,
            keys: keysOf(config, undefined),
            recordContact: () => {},
            offers: async () => true,
            usesSecondVersion: () => false,
          },
        ]
  const closePartners = (): void => {}
  if (environment === 'live') return { partners: noPartners, notifyingPartners, closePartners }
  const world = { clock, book: simulatedBook(db) }
  return {
    partners: onePartner(SIMULATED, simulatedRails(world)),
    notifyingPartners,
    accessControl: simulatedAccessControl(world),
    closePartners,
  }
}

/**
 * Describes a partner that notifies us. A partner with a configured code may report only what its manifest offers, so
 * the manifest is read first.
 */
const notifyingPartnerOf = (
  rails: ReturnType<typeof httpRails>,
  code: string | undefined,
  keys: Keys,
): NotifyingPartner => ({
  partner: code ?? ADAPTER,
  keys,
  recordContact: rails.recordContact,
  isRejected: rails.isRejected,
  offers: async (capability) => {
    if (code !== undefined && rails.facts().protocol === undefined) await rails.connect()
    return rails.can(capability)
  },
  usesSecondVersion: () => rails.facts().protocol === '2',
})

/** Returns a partner's secrets. The configuration guarantees at least one. */
function keysOf({ railsSecrets, railsSecretsAlso }: Config, code: string | undefined): Keys {
  const [first] = railsSecrets
  const of = (all: Config['railsSecrets']) => all.find((one) => one.code === code)?.secret
  const secret = of(railsSecrets) ?? first?.secret
  if (secret === undefined) throw new Error('A partner has no secret')
  return { secret, also: of(railsSecretsAlso) }
}
