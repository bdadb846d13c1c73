import type { IncomingHttpHeaders } from 'node:http'
import type { Clock } from '@kobo/gateway/kernel/clock.ts'
import type { Hidden } from '@kobo/gateway/kernel/hidden.ts'
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

/** A partner that calls us, as it came: nothing of it is believed yet. */
export interface Call {
  readonly method: string
  /** What follows the connector's code in the address. */
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  /** To the byte, since it may be signed. */
  readonly body: Buffer
}

/** What the partner is answered. */
export interface Reply {
  readonly status: number
  readonly body: object
}

/** What speaks to one partner. What it has to know, each question tells. */
export interface Connector {
  readonly manifest: Manifest
  /** Carries out an operation of the protocol that its manifest allows; what was asked has been checked. */
  readonly carryOut: (operation: string, asked: never) => Promise<object>
  /** Hears what the partner calls with, at `/callbacks/CODE/…`; left out where it never does. */
  readonly hear?: (call: Call) => Promise<Reply>
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
  /** What the operator has agreed with the partner. */
  readonly settings: PartnerSettings
  readonly wall: Clock
  readonly log: Log
  readonly teller: Teller
}

/** What a connector has to be told by the operator: `KOBO_CODE_NAME` in the environment of this process, and nowhere else. */
export interface PartnerSetting {
  readonly name: string
  readonly help: string
  /** Without one it must be set. */
  readonly standard?: string
  readonly isSecret?: boolean
  /** What is wrong with a text, if anything. */
  readonly whyNot?: (text: string) => string | undefined
}

/** The settings of a connector, read and checked. */
export interface PartnerSettings {
  readonly text: (name: string) => string
  readonly secret: (name: string) => Hidden<string>
}

/** Connectors by the word that chooses them. */
export type Kinds = Readonly<Record<string, ConnectorKind>>

/** A connector that ships. */
export interface ConnectorKind {
  /** What is wrong with its options, if anything. */
  readonly whyNot: (options: URLSearchParams) => string | undefined
  readonly settings?: readonly PartnerSetting[]
  readonly open: (tools: ConnectorTools) => Connector
}
