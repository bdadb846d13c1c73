import { monotonic } from '../../kernel/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { Post } from '../../platform/post.ts'
import { MANIFEST, Manifest } from '../protocol/index.ts'
import { askSigned, firstLine, type Line, type LineOptions, secondLine } from './line.ts'
import { plainReader } from './reader.ts'

/** Which version is spoken: `auto` is the second where the adapter has a manifest. */
export type ProtocolChoice = 'auto' | '1' | '2'

/** The adapter as far as it is known. */
export interface Partner {
  /** How it is spoken to; undefined until that is known. */
  readonly line: () => Line | undefined
  /** Finds out how to speak to it; undefined where it does not answer. */
  readonly connect: () => Promise<Line | undefined>
}

interface Options extends LineOptions {
  /** What it is called in the operator's settings, where that is said: then its manifest must say the same. */
  readonly code?: string | undefined
  readonly choice: ProtocolChoice
  readonly log: Log
  /** Asks for the manifest, in less time than other questions may take. */
  readonly postBriefly: Post
  /** After so long the adapter is asked again what it can do. */
  readonly manifestMilliseconds: number
}

const readManifest = plainReader({ answers: Manifest })

/**
 * Finds out which version the adapter speaks. Once it has shown that it speaks the second, it is never spoken to in the
 * first again: whoever can keep a manifest from arriving must not have its answers go unsigned.
 */
export function openPartner(options: Options): Partner {
  const { choice, log, manifestMilliseconds } = options
  let known: Line | undefined = choice === '1' ? firstLine(options) : undefined
  let askAgainAt = Number.POSITIVE_INFINITY
  let underWay: Promise<Line | undefined> | undefined

  async function ask(): Promise<Line | undefined> {
    const met = await askSigned({ ...options, post: options.postBriefly }, MANIFEST, '', 'GET')
    const manifest = met.text === undefined ? undefined : readManifest(met.text)
    if (manifest !== undefined && options.code !== undefined && manifest.partner.code !== options.code) {
      log.error(
        { expected: options.code, told: manifest.partner.code },
        'a rails adapter is another partner than the settings say: nothing is asked of it',
      )
      known = undefined
    } else if (manifest !== undefined) {
      if (known?.manifest === undefined) tell(log, manifest)
      known = secondLine(options, manifest)
    } else if (!met.isSilent && choice === 'auto' && known === undefined) {
      log.info('the rails adapter has no manifest: it is spoken to in the first version of the protocol')
      known = firstLine(options)
    } else if (known === undefined)
      log.warn({ status: met.status, reason: met.reason }, 'the rails adapter does not show its manifest')
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
  }
}

function tell(log: Log, { partner, software, capabilities, simulated }: Manifest): void {
  log.info({ partner: partner.code, software, capabilities }, 'the rails adapter speaks the second version')
  if (simulated) log.warn({ partner: partner.code }, 'the rails are simulated: no real money moves')
}
