import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '@kobo/gateway/kernel/clock.ts'
import type { Log } from '@kobo/gateway/platform/log.ts'
import { openPost } from '@kobo/gateway/platform/post.ts'
import { askSigned } from '@kobo/gateway/rails/http/index.ts'
import type { Keys, TOLD } from '@kobo/gateway/rails/protocol/index.ts'

/** What is not heard is told again, less and less often; then it is for the partner to say it again. */
const TELL_AGAIN_MILLISECONDS = [200, 1_000, 5_000, 15_000, 60_000, 300_000] as const
const ANSWER_MILLISECONDS_MAX = 25_000
/** So much is told at once at the most: while the gateway is away, partners must say it again. */
const UNDER_WAY_MAX = 10_000

/** Tells the gateway what has happened. */
export interface Teller {
  /** Tells until a signed answer comes; undefined where none did. */
  readonly tell: (operation: keyof typeof TOLD, notice: object) => Promise<object | undefined>
  readonly close: () => void
}

interface Options {
  /** Where the gateway is; nobody is told anything where left out. */
  readonly gatewayUrl: string | undefined
  readonly keys: Keys
  readonly wall: Clock
  readonly log: Log
}

export function openTeller({ gatewayUrl, keys, wall, log }: Options): Teller {
  const { post, close } = openPost({
    allowPrivate: true,
    timeoutMilliseconds: ANSWER_MILLISECONDS_MAX,
    excerptLengthMax: 65_536,
  })
  const closing = new AbortController()
  let underWay = 0
  async function tell(operation: keyof typeof TOLD, body: string): Promise<object | undefined> {
    for (const milliseconds of [...TELL_AGAIN_MILLISECONDS, undefined]) {
      const { text, status, reason } = await askSigned(
        { url: `${gatewayUrl}/rails`, keys, wall, post },
        operation,
        body,
      )
      if (text !== undefined) return JSON.parse(text) as object
      log.warn({ operation, status, reason }, 'the gateway did not hear a notice')
      // What it does not understand, or does not believe, it will not the next time either.
      if (milliseconds === undefined || status === 400 || status === 401 || closing.signal.aborted) break
      await pause(milliseconds, undefined, { signal: closing.signal, ref: false }).catch(() => {})
    }
    return undefined
  }

  return {
    tell: async (operation, notice) => {
      if (gatewayUrl === undefined || underWay >= UNDER_WAY_MAX) return undefined
      underWay++
      return tell(operation, JSON.stringify(notice)).finally(() => underWay--)
    },
    close: () => {
      closing.abort()
      close()
    },
  }
}
