import { monotonic } from '../../kernel/clock.ts'
import type { Post } from '../../platform/http/post-json.ts'
import type { Log } from '../../platform/observability/log.ts'
import { MANIFEST, Manifest } from '../protocol/index.ts'
import { firstLine, type Line, type LineOptions, requestSigned, secondLine } from './line.ts'
import { plainReader } from './reader.ts'

/** The protocol version: `auto` uses version 2 if the adapter has a manifest. */
export type ProtocolChoice = 'auto' | '1' | '2'

/** The adapter, with the facts known so far. */
export interface Partner {
  /** Returns the connection; undefined until the protocol version is known. */
  readonly line: () => Line | undefined
  /** Connects; undefined if the adapter does not respond. */
  readonly connect: () => Promise<Line | undefined>
  /** Whether the adapter is rejected because it only simulates payments. */
  readonly isRejected: () => boolean
  /** Returns the partner's configured code, or the one in its manifest. */
  readonly code: () => string | undefined
  /** Whether the last request for the manifest got no usable response. */
  readonly isAway: () => boolean
  /** Call it when a request got no response. The manifest is then requested again with the next request. */
  readonly doubt: () => void
}

interface Options extends LineOptions {
  /** The configured code, if any. The manifest must have the same code. */
  readonly code?: string | undefined
  readonly choice: ProtocolChoice
  /** Whether an adapter that only simulates payments is accepted. */
  readonly allowsSimulated: boolean
  readonly log: Log
  /** Fetches the manifest, with a shorter timeout. */
  readonly postBriefly: Post
  /** How often the manifest is fetched again. */
  readonly manifestMilliseconds: number
}

/** How often the manifest is requested from an adapter that is away. */
const AWAY_MILLISECONDS = 15_000

const readManifest = plainReader({ response: Manifest })

/**
 * Finds the adapter's protocol version. Once the adapter has used version 2, version 1 is never used again. Otherwise
 * an attacker could block the manifest and then send unsigned responses.
 */
export function openPartner(options: Options): Partner {
  const { choice, log, manifestMilliseconds } = options
  let known: Line | undefined = choice === '1' ? firstLine(options) : undefined
  let isRejected = false
  let isAway = false
  let retryAt = Number.POSITIVE_INFINITY
  let underWay: Promise<Line | undefined> | undefined

  const codeOf = (): string | undefined => options.code ?? known?.manifest?.partner.code

  async function fetchManifest(): Promise<Line | undefined> {
    const exchange = await requestSigned({ ...options, post: options.postBriefly }, MANIFEST, '', 'GET')
    const manifest = exchange.text === undefined ? undefined : readManifest(exchange.text)
    if (manifest !== undefined) isRejected = manifest.simulated && !options.allowsSimulated
    if (manifest !== undefined && options.code !== undefined && manifest.partner.code !== options.code) {
      log.error(
        { partner: options.code, reported: manifest.partner.code },
        'rails adapter reports a different partner than configured; no requests are sent to it',
      )
      known = undefined
    } else if (isRejected) {
      log.error({ partner: manifest?.partner.code }, 'rails adapter only simulates payments; rejected in live mode')
      known = undefined
    } else if (manifest !== undefined) {
      if (known?.manifest === undefined) notify(log, manifest)
      known = secondLine(options, manifest)
    } else if (!exchange.isSilent && choice === 'auto' && known === undefined) {
      log.info('rails adapter has no manifest; using protocol version 1')
      known = firstLine(options)
    }
    const wasAway = isAway
    isAway = manifest === undefined && (known === undefined || known.manifest !== undefined || exchange.isSilent)
    const { status, reason } = exchange
    const facts = { partner: codeOf(), operation: MANIFEST, status, reason }
    if (isAway && !wasAway) log.warn(facts, 'rails adapter manifest unavailable')
    if (!isAway && wasAway) log.info(facts, 'rails adapter manifest available again')
    retryAt = monotonic() + (isAway ? Math.min(AWAY_MILLISECONDS, manifestMilliseconds) : manifestMilliseconds)
    return known
  }

  const connect = (): Promise<Line | undefined> => {
    underWay ??= fetchManifest().finally(() => {
      underWay = undefined
    })
    return underWay
  }

  return {
    line: () => {
      if (choice !== '1' && monotonic() >= retryAt) void connect()
      return known
    },
    connect,
    isRejected: () => isRejected,
    code: codeOf,
    isAway: () => isAway,
    doubt: () => {
      if (!isAway) retryAt = Math.min(retryAt, monotonic())
    },
  }
}

function notify(log: Log, { partner, software, capabilities, simulated }: Manifest): void {
  log.info({ partner: partner.code, software, capabilities }, 'rails adapter connected with protocol version 2')
  if (simulated) log.warn({ partner: partner.code }, 'rails simulated; no real money moves')
}
