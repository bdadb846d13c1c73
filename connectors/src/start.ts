import type { AddressInfo } from 'node:net'
import { type Clock, wallClock } from '@kobo/gateway/kernel/clock.ts'
import { hidden } from '@kobo/gateway/kernel/hidden.ts'
import type { Log } from '@kobo/gateway/platform/observability/log.ts'
import type { Keys } from '@kobo/gateway/rails/protocol/index.ts'
import type { Connector, Kinds, PartnerSettings } from './connector.ts'
import { openNotifier } from './notifier.ts'
import { CONNECTORS } from './partners/index.ts'
import { openServer } from './server.ts'
import type { Settings } from './settings.ts'

/** The running connector process. */
export interface RunningConnectors {
  /** Its URL; each connector is below it under its code. */
  readonly url: string
  readonly connectors: ReadonlyMap<string, Connector>
  /** Finishes requests in progress and takes no new ones. */
  readonly close: () => Promise<void>
}

/** Starts the configured connectors. The process is stateless, so several may run. */
export async function startConnectors(
  settings: Settings,
  log: Log,
  wall: Clock = wallClock,
  kinds: Kinds = CONNECTORS,
): Promise<RunningConnectors> {
  const served = new Map(
    settings.connectors.flatMap(({ code, kind, options }) => {
      const keys = keysOf(settings, code)
      const notifier = openNotifier({ gatewayUrl: settings.gatewayUrl, keys, wall, log })
      const connector = kinds[kind]?.open({
        code,
        options,
        settings: settings.partners.get(code) ?? noSettings,
        wall,
        log,
        notifier,
      })
      return connector === undefined ? [] : [[code, { connector, keys, notifier }] as const]
    }),
  )
  const connectors = new Map([...served].map(([code, { connector }]) => [code, connector]))
  const server = openServer({ served, wall, log })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(settings.port, settings.host, resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${settings.host}:${port}`,
    connectors,
    close: async () => {
      for (const { connector, notifier } of served.values()) {
        connector.close?.()
        notifier.close()
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

/** A connector's secrets; the settings guarantee one. */
function keysOf({ secrets, secretsAlso }: Settings, code: string): Keys {
  const secret = secrets.find((one) => one.code === code)?.secret
  if (secret === undefined) throw new Error(`The connector ${code} has no secret`)
  return { secret, also: secretsAlso.find((one) => one.code === code)?.secret }
}
