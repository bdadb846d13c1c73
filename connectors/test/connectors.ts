import type { TestContext } from 'node:test'
import { type Clock, wallClock } from '../../gateway/src/kernel/clock.ts'
import { type Log, openLog } from '../../gateway/src/platform/observability/log.ts'
import type { Connector } from '../src/connector.ts'
import type { Faults } from '../src/faults.ts'
import { readSettings } from '../src/settings.ts'
import { startConnectors } from '../src/start.ts'

export const SECRET = 'a-secret-between-gateway-and-adapter'

export interface Sandbox {
  /** The same tools for another configured connector, by its code. */
  readonly at: (code: string) => Omit<Sandbox, 'at'>
  /** The URL of the sandbox's connector. */
  readonly url: string
  readonly faults: Faults
  /** Calls a control operation of the simulated partners, which is not part of the protocol. */
  readonly control: (name: string, body?: object) => Promise<Record<string, unknown>>
}

/** The connector process with the sandbox's connector, in this process, on a real socket. */
export async function sandbox(
  t: TestContext,
  {
    env = {},
    wall = wallClock,
    log = openLog('silent'),
  }: { readonly env?: NodeJS.ProcessEnv; readonly wall?: Clock; readonly log?: Log } = {},
): Promise<Sandbox> {
  const settings = readSettings({ PORT: '0', KOBO_RAILS_SECRET: SECRET, ...env })
  const { url, connectors, close } = await startConnectors(settings, log, wall)
  t.after(close)
  const at = (code: string): Omit<Sandbox, 'at'> => {
    const connector = connectors.get(code) as Connector
    return {
      url: `${url}/${code}`,
      faults: connector.faults as Faults,
      control: async (name, body = {}) =>
        (await connector.controls?.[`control/${name}`]?.carryOut(body as never)) as Record<string, unknown>,
    }
  }
  const [first = 'sandbox'] = connectors.keys()
  return { ...at(first), at }
}
