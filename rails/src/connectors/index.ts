import type { ConnectorKind } from '../connector.ts'
import { sandboxKind } from './sandbox/index.ts'

/** Every connector that ships, by the word that chooses it. */
export const CONNECTORS: Readonly<Record<string, ConnectorKind>> = { sandbox: sandboxKind }
