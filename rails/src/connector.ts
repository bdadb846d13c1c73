import type { Clock } from '@kobo/gateway/kernel/clock.ts'
import type { Log } from '@kobo/gateway/platform/log.ts'
import { compileCheck } from '@kobo/gateway/platform/validation.ts'
import type { Manifest } from '@kobo/gateway/rails/protocol/index.ts'
import type { Static, TSchema } from 'typebox'
import type { Mischief } from './mischief.ts'
import type { Teller } from './teller.ts'

/** What a simulator can be told beside the protocol. */
export interface Control {
  /** What is wrong with what was asked, if anything. */
  readonly findWrong: (asked: unknown) => Error | undefined
  readonly carryOut: (asked: never) => Promise<object>
}

export const control = <Schema extends TSchema>(
  asks: Schema,
  carryOut: (asked: Static<Schema>) => Promise<object>,
): Control => ({ findWrong: compileCheck(asks, 'body'), carryOut })

/** What speaks to one partner. What it has to know, each question tells. */
export interface Connector {
  readonly manifest: Manifest
  /** Carries out an operation of the protocol that its manifest allows; what was asked has been checked. */
  readonly carryOut: (operation: string, asked: never) => Promise<object>
  /** By the name of the operation. */
  readonly controls?: Readonly<Record<string, Control>>
  /** How a simulator misbehaves, where it was told to. */
  readonly mischief?: Mischief
  readonly close?: () => void
}

/** What a connector is opened with. */
export interface ConnectorTools {
  /** What the partner is called. */
  readonly code: string
  /** As the settings have them. */
  readonly options: URLSearchParams
  readonly wall: Clock
  readonly log: Log
  readonly teller: Teller
}

/** A connector that ships. */
export interface ConnectorKind {
  /** What is wrong with its options, if anything. */
  readonly whyNot: (options: URLSearchParams) => string | undefined
  readonly open: (tools: ConnectorTools) => Connector
}
