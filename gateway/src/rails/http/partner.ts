import { monotonic } from '../../kernel/clock.ts'
import type { Post } from '../../platform/http/post-json.ts'
import type { Log } from '../../platform/observability/log.ts'
import { MANIFEST, Manifest } from '../protocol/index.ts'
import { firstLine, type Line, type LineOptions, requestSigned, secondLine } from './line.ts'
import { plainReader } from './reader.ts'

/** The protocol version: `auto` uses version 2 if the adapter has a manifest. */
export type ProtocolChoice = 'auto' | '1' | '2'

/** The adapter, as far as known. */
export interface Partner {
  /** The connection; undefined until known. */
  readonly line: () => Line | undefined
  /** Connects; undefined if it does not respond. */
  readonly connect: () => Promise<Line | undefined>
  /** Whether it is rejected because it only simulates payments. */
  readonly isRejected: () => boolean
}

interface Options extends LineOptions {
  /** Its configured code, if any: its manifest must have the same. */
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

const readManifest = plainReader({ answers: Manifest })

/**
 * Finds the adapter's version. Once version 2 was seen, version 1 is never used again: otherwise blocking the manifest
 * would allow unsigned responses.
 */
export function openPartner(options: Options): Partner {
  const { choice, log, manifestMilliseconds } = options
  let known: Line | undefined = choice === '1' ? firstLine(options) : undefined
  let isRejected = false
  let askAgainAt = Number.POSITIVE_INFINITY
  let underWay: Promise<Line | undefined> | undefined

  async function ask(): Promise<Line | undefined> {
    const met = await requestSigned({ ...options, post: options.postBriefly }, MANIFEST, '', 'GET')
    const manifest = met.text === undefined ? undefined : readManifest(met.text)
    if (manifest !== undefined) isRejected = manifest.simulated && !options.allowsSimulated
    if (manifest !== undefined && options.code !== undefined && manifest.partner.code !== options.code) {
      log.error(
        { expected: options.code, told: manifest.partner.code },
        'rails adapter reports a different partner than configured; no requests are sent to it',
      )
      known = undefined
    } else if (isRejected) {
      log.error({ partner: manifest?.partner.code }, 'rails adapter only simulates payments; rejected in live')
      known = undefined
    } else if (manifest !== undefined) {
      if (known?.manifest === undefined) tell(log, manifest)
      known = secondLine(options, manifest)
    } else if (!met.isSilent && choice === 'auto' && known === undefined) {
      log.info('rails adapter has no manifest; using protocol version 1')
      known = firstLine(options)
    } else if (known === undefined)
      log.warn({ status: met.status, reason: met.reason }, 'rails adapter manifest unavailable')
    askAgainAt = monotonic() + manifestMilliseconds
    return known
  }

  const connect = (): Promise<Line | undefined> => {
    underWay ??= ask().finally(() => {
      underWay = undefined
    })
    return underWay
  }

  return {
    line: () => {
      if (choice !== '1' && known !== undefined && monotonic() >= askAgainAt) void connect()
      return known
    },
    connect,
    isRejected: () => isRejected,
  }
}

function tell(log: Log, { partner, software, capabilities, simulated }: Manifest): void {
  log.info({ partner: partner.code, software, capabilities }, 'rails adapter connected with protocol version 2')
  if (simulated) log.warn({ partner: partner.code }, 'rails simulated; no real money moves')
}
