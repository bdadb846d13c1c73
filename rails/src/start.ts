import type { AddressInfo } from 'node:net'
import { type Clock, wallClock } from '@kobo/gateway/kernel/clock.ts'
import { hidden } from '@kobo/gateway/kernel/hidden.ts'
import type { Log } from '@kobo/gateway/platform/log.ts'
import type { Keys } from '@kobo/gateway/rails/protocol/index.ts'
import type { Connector, Kinds, PartnerSettings } from './connector.ts'
import { CONNECTORS } from './connectors/index.ts'
import { openFrame } from './frame.ts'
import type { Settings } from './settings.ts'
import { openTeller } from './teller.ts'

/** The connector process as it runs. */
export interface RunningRails {
  /** Where it answers; each connector is at its code below it. */
  readonly url: string
  readonly connectors: ReadonlyMap<string, Connector>
  /** Answers what is under way, and takes nothing new. */
  readonly close: () => Promise<void>
}

/** Starts the connectors that the settings choose. It keeps nothing of its own, so there may be several of it. */
export async function startRails(
  settings: Settings,
  log: Log,
  wall: Clock = wallClock,
  kinds: Kinds = CONNECTORS,
): Promise<RunningRails> {
  const served = new Map(
    settings.connectors.flatMap(({ code, kind, options }) => {
      const keys = keysOf(settings, code)
      const teller = openTeller({ gatewayUrl: settings.gatewayUrl, keys, wall, log })
      const connector = kinds[kind]?.open({
        code,
        options,
        settings: settings.partners.get(code) ?? noSettings,
        wall,
        log,
        teller,
      })
      return connector === undefined ? [] : [[code, { connector, keys, teller }] as const]
    }),
  )
  const connectors = new Map([...served].map(([code, { connector }]) => [code, connector]))
  const server = openFrame({ served, wall, log })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(settings.port, settings.host, resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${settings.host}:${port}`,
    connectors,
    close: async () => {
      for (const { connector, teller } of served.values()) {
        connector.close?.()
        teller.close()
      }
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeIdleConnections()
      await closed
    },
  }
}

const noSettings: PartnerSettings = {
  text: () => '',
  secret: () => hidden(''),
}

/** The secrets of a connector: the settings were read, so it has one. */
function keysOf({ secrets, secretsAlso }: Settings, code: string): Keys {
  const secret = secrets.find((one) => one.code === code)?.secret
  if (secret === undefined) throw new Error(`The connector ${code} has no secret`)
  return { secret, also: secretsAlso.find((one) => one.code === code)?.secret }
}
