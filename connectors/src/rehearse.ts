import type { Clock } from '@kobo/gateway/kernel/clock.ts'
import type { Hidden } from '@kobo/gateway/kernel/hidden.ts'
import { openPost } from '@kobo/gateway/platform/http/post-json.ts'
import { requestSigned } from '@kobo/gateway/rails/http/index.ts'

const RESPONSE_MILLISECONDS_MAX = 60_000

interface Options {
  /** The URL of a simulated partner's connector. */
  readonly url: string
  readonly secret: Hidden<string>
  readonly wall: Clock
}

/** Makes a simulated partner report a credit. Returns the gateway's response, or the reason why there was none. */
export async function notifyCredit({ url, secret, wall }: Options, credit: object): Promise<object | string> {
  const { post, close } = openPost({
    allowPrivate: true,
    timeoutMilliseconds: RESPONSE_MILLISECONDS_MAX,
    excerptLengthMax: 65_536,
  })
  try {
    const options = { url, keys: { secret }, wall, post }
    const { text, status, reason } = await requestSigned(options, 'control/credit', JSON.stringify({ credit }))
    return text === undefined ? (reason ?? `it answered ${status}`) : (JSON.parse(text) as object)
  } finally {
    close()
  }
}
