import type { Kinds } from '../connector.ts'
import { ninePsbKind } from './9psb/index.ts'
import { sandboxKind } from './sandbox/index.ts'

/** Every connector that ships, by the word that chooses it. */
export const CONNECTORS: Kinds = { sandbox: sandboxKind, '9psb': ninePsbKind }
