import type { Clock } from '@kobo/gateway/kernel/clock.ts'
import type { Log } from '@kobo/gateway/platform/log.ts'
import type { Connector } from '../connector.ts'
import type { Teller } from '../teller.ts'
import { sandboxConnector } from './sandbox/index.ts'

/** Every connector that ships, by the word that chooses it. */
export const CONNECTORS: Readonly<
  Record<string, (tools: { readonly wall: Clock; readonly log: Log; readonly teller: Teller }) => Connector>
> = { sandbox: sandboxConnector }
