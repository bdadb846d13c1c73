import type { Manifest } from '@kobo/gateway/rails/protocol/index.ts'
import type { Mischief } from './mischief.ts'

/** What speaks to one partner. It keeps nothing: who it was, is told by each question. */
export interface Connector {
  readonly manifest: Manifest
  /** Carries out an operation of the protocol that its manifest allows; what was asked has been checked. */
  readonly carryOut: (operation: string, asked: never) => Promise<object>
  /** What a simulator can be told beside the protocol, by name. */
  readonly controls?: Readonly<Record<string, (asked: never) => Promise<object>>>
  /** How a simulator misbehaves, where it was told to. */
  readonly mischief?: Mischief
  readonly close?: () => void
}
