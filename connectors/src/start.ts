import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { type Clock, wallClock } from '@kobo/gateway/kernel/clock.ts'
import { hidden } from '@kobo/gateway/kernel/hidden.ts'
import { openConnectorMetrics } from '@kobo/gateway/platform/metrics/connector-metrics.ts'
import type { Log } from '@kobo/gateway/platform/observability/log.ts'
import type { Keys } from '@kobo/gateway/rails/protocol/index.ts'
import type { Connector, Kinds, PartnerSettings } from './connector.ts'
import { openNotifier } from './notifier.ts'
import { CONNECTORS } from './partners/index.ts'
import { openServer } from './server.ts'
import type { Settings } from './settings.ts'

export interface RunningConnectors {
  /** The URL of the process. Each connector has its code as the path. */
  readonly url: string
  readonly connectors: ReadonlyMap<string, Connector>
  /** Keeps serving for this long, but reports not ready and closes connections after each response. */
  readonly drain: (seconds: number) => Promise<void>
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
  const metrics = openConnectorMetrics()
  let isStopping = false
  const served = new Map(
    settings.connectors.flatMap(({ code, kind, options }) => {
      const keys = keysOf(settings, code)
      const onAttempt = (operation: string, isAccepted: boolean): void =>
        metrics.notification(code, operation, isAccepted ? 'accepted' : 'failed')
      const notifier = openNotifier({ gatewayUrl: settings.gatewayUrl, code, keys, wall, log, onAttempt })
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
  const { server, close: closeServer } = openServer({
    served,
    wall,
    log,
    metrics,
    tls: settings.tls,
    isStopping: () => isStopping,
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(settings.port, settings.host, resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `${settings.tls === undefined ? 'http' : 'https'}://${settings.host}:${port}`,
    connectors,
    drain: async (seconds) => {
      isStopping = true
      if (seconds > 0) await wait(seconds * 1_000)
    },
    close: async () => {
      isStopping = true
      closeServer()
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

/** Returns a connector's secrets. There is always one, because settings without it were rejected. */
function keysOf({ secrets, secretsAlso }: Settings, code: string): Keys {
  const secret = secrets.find((one) => one.code === code)?.secret
  if (secret === undefined) throw new Error(`The connector ${code} has no secret`)
  return { secret, also: secretsAlso.find((one) => one.code === code)?.secret }
}
