import type { IncomingHttpHeaders } from 'node:http'
import type { Clock } from '@kobo/gateway/kernel/clock.ts'
import type { Hidden } from '@kobo/gateway/kernel/hidden.ts'
import { compileCheck } from '@kobo/gateway/platform/http/validation.ts'
import type { Log } from '@kobo/gateway/platform/observability/log.ts'
import type { Manifest } from '@kobo/gateway/rails/protocol/index.ts'
import type { Static, TSchema } from 'typebox'
import type { Faults } from './faults.ts'
import type { Notifier } from './notifier.ts'

/** An operation that only simulators have. It is not part of the protocol. */
export interface Control {
  /** Why a request is invalid; undefined if it is valid. */
  readonly findWrong: (request: unknown) => Error | undefined
  readonly carryOut: (request: never) => Promise<object>
}

export const control = <Schema extends TSchema>(
  asks: Schema,
  carryOut: (request: Static<Schema>) => Promise<object>,
): Control => ({ findWrong: compileCheck(asks, 'body'), carryOut })

/** A partner's call as it arrived: nothing is verified yet. */
export interface Call {
  readonly method: string
  /** The part of the URL after the connector's code. */
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  /** The exact bytes, because the signature may cover them. */
  readonly body: Buffer
}

/** The response to the partner. */
export interface Reply {
  readonly status: number
  readonly body: object
}

/** A connector to one partner. It needs no stored state, because each request contains everything. */
export interface Connector {
  readonly manifest: Manifest
  /** Runs an operation of the protocol that its manifest allows; the input is validated. */
  readonly carryOut: (operation: string, request: never) => Promise<object>
  /** Handles the partner's calls at `/callbacks/CODE/…`; absent if there are none. */
  readonly handleCallback?: (call: Call) => Promise<Reply>
  /** The operations that only this simulator has, by name. */
  readonly controls?: Readonly<Record<string, Control>>
  /** Faults injected into a simulator. */
  readonly faults?: Faults
  readonly close?: () => void
}

/** The tools and settings that a connector gets when it is opened. */
export interface ConnectorTools {
  readonly code: string
  /** The options after the connector's code in the settings: `?banks=035+058`. */
  readonly options: URLSearchParams
  /** The settings that the operator agreed with the partner, such as URLs and keys. */
  readonly settings: PartnerSettings
  readonly wall: Clock
  readonly log: Log
  readonly notifier: Notifier
}

/** A connector's setting: the environment variable `KOBO_CODE_NAME` of this process. */
export interface PartnerSetting {
  readonly name: string
  readonly help: string
  /** The default value. A setting without a default is required. */
  readonly standard?: string
  readonly isSecret?: boolean
  /** Why a value is invalid; undefined if it is valid. */
  readonly whyNot?: (text: string) => string | undefined
}

/** A connector's validated settings. */
export interface PartnerSettings {
  readonly text: (name: string) => string
  readonly secret: (name: string) => Hidden<string>
}

export type Kinds = Readonly<Record<string, ConnectorKind>>

/** A connector that ships with Kobo. */
export interface ConnectorKind {
  /** Why the options are invalid; undefined if they are valid. */
  readonly whyNot: (options: URLSearchParams) => string | undefined
  readonly settings?: readonly PartnerSetting[]
  readonly open: (tools: ConnectorTools) => Connector
}
