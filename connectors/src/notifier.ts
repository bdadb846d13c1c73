import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '@kobo/gateway/kernel/clock.ts'
import { openPost } from '@kobo/gateway/platform/http/post-json.ts'
import type { Log } from '@kobo/gateway/platform/observability/log.ts'
import { requestSigned } from '@kobo/gateway/rails/http/index.ts'
import type { Keys, NOTIFICATIONS } from '@kobo/gateway/rails/protocol/index.ts'

/** The delays between retries of a notification. After the last retry, the partner must report the same again. */
const RETRY_MILLISECONDS = [200, 1_000, 5_000, 15_000, 60_000, 300_000] as const
const RESPONSE_MILLISECONDS_MAX = 25_000
/** The maximum number of notifications in progress. Partners must repeat those beyond it. */
const UNDER_WAY_MAX = 10_000

/** Notifies the gateway. */
export interface Notifier {
  /** Notifies the gateway and retries until it returns a signed response; undefined if it never does. */
  readonly notify: (operation: keyof typeof NOTIFICATIONS, notice: object) => Promise<object | undefined>
  readonly close: () => void
}

interface Options {
  /** The gateway's URL; notifications are off if absent. */
  readonly gatewayUrl: string | undefined
  readonly keys: Keys
  readonly wall: Clock
  readonly log: Log
  /** The connector's code, for the log. */
  readonly code?: string
  /** Called after each attempt. */
  readonly onAttempt?: (operation: string, isAccepted: boolean) => void
}

export function openNotifier({ gatewayUrl, keys, wall, log, code, onAttempt }: Options): Notifier {
  const { post, close } = openPost({
    allowPrivate: true,
    timeoutMilliseconds: RESPONSE_MILLISECONDS_MAX,
    excerptLengthMax: 65_536,
  })
  const closing = new AbortController()
  let underWay = 0
  async function notify(operation: keyof typeof NOTIFICATIONS, body: string): Promise<object | undefined> {
    for (const milliseconds of [...RETRY_MILLISECONDS, undefined]) {
      const { text, status, reason } = await requestSigned(
        { url: `${gatewayUrl}/rails`, keys, wall, post },
        operation,
        body,
      )
      onAttempt?.(operation, text !== undefined)
      if (text !== undefined) return JSON.parse(text) as object
      const { railReference, reference = railReference } = JSON.parse(body) as Readonly<Record<string, unknown>>
      log.warn({ partner: code, operation, reference, status, reason }, 'notification to the gateway failed')
      // A malformed or unauthorized notification would fail again, so it is not retried.
      if (milliseconds === undefined || status === 400 || status === 401 || closing.signal.aborted) break
      await pause(milliseconds, undefined, { signal: closing.signal, ref: false }).catch(() => {})
    }
    return undefined
  }

  return {
    notify: async (operation, notice) => {
      if (gatewayUrl === undefined || underWay >= UNDER_WAY_MAX) return undefined
      underWay++
      return notify(operation, JSON.stringify(notice)).finally(() => underWay--)
    },
    close: () => {
      closing.abort()
      close()
    },
  }
}
