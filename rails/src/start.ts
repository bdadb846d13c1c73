import type { AddressInfo } from 'node:net'
import { type Clock, wallClock } from '@kobo/gateway/kernel/clock.ts'
import type { Log } from '@kobo/gateway/platform/log.ts'
import type { Connector } from './connector.ts'
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
export async function startRails(settings: Settings, log: Log, wall: Clock = wallClock): Promise<RunningRails> {
  const keys = { secret: settings.secret, also: settings.secretAlso }
  const teller = openTeller({ gatewayUrl: settings.gatewayUrl, keys, wall, log })
  const connectors = new Map(
    settings.connectors.flatMap((code) => {
      const open = CONNECTORS[code]
      return open === undefined ? [] : [[code, open({ wall, log, teller })] as const]
    }),
  )
  const server = openFrame({ connectors, keys, wall, log })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(settings.port, settings.host, resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${settings.host}:${port}`,
    connectors,
    close: async () => {
      for (const { close } of connectors.values()) close?.()
      teller.close()
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeIdleConnections()
      await closed
    },
  }
}
