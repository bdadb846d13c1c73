import type { Clock } from '@kobo/gateway/kernel/clock.ts'
import type { Hidden } from '@kobo/gateway/kernel/hidden.ts'
import { openPost } from '@kobo/gateway/platform/post.ts'
import { askSigned } from '@kobo/gateway/rails/http/index.ts'

const ANSWER_MILLISECONDS_MAX = 60_000

interface Options {
  /** Where the connector of a simulated partner is. */
  readonly url: string
  readonly secret: Hidden<string>
  readonly wall: Clock
}

/** Has a simulated partner tell of a credit; answers what the gateway answered it, or why it was not told. */
export async function tellCredit({ url, secret, wall }: Options, credit: object): Promise<object | string> {
  const { post, close } = openPost({
    allowPrivate: true,
    timeoutMilliseconds: ANSWER_MILLISECONDS_MAX,
    excerptLengthMax: 65_536,
  })
  try {
    const options = { url, keys: { secret }, wall, post }
    const { text, status, reason } = await askSigned(options, 'control/credit', JSON.stringify({ credit }))
    return text === undefined ? (reason ?? `it answered ${status}`) : (JSON.parse(text) as object)
  } finally {
    close()
  }
}
