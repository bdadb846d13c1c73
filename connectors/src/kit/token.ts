import { type Clock, secondsAfter } from '@kobo/gateway/kernel/clock.ts'
import { type Hidden, hidden } from '@kobo/gateway/kernel/hidden.ts'

/** A token is not used in the last seconds before it expires, because it must still be valid when it arrives. */
const MARGIN_SECONDS = 30

export interface Token {
  readonly token: string
  readonly lifeSeconds: number
}

export interface Tokens {
  /** Returns the token; undefined if the partner does not issue one. Then nothing can be sent. */
  readonly get: () => Promise<Hidden<string> | undefined>
  /** Drops the token after the partner has rejected it. */
  readonly forget: () => void
}

/** Caches a partner's token while it is valid. Concurrent callers share one request. */
export function cacheToken(wall: Clock, obtain: () => Promise<Token | undefined>): Tokens {
  let cached: { readonly token: Hidden<string>; readonly until: Date } | undefined
  let underWay: Promise<Hidden<string> | undefined> | undefined
  async function renew(): Promise<Hidden<string> | undefined> {
    const got = await obtain()
    cached =
      got === undefined
        ? undefined
        : { token: hidden(got.token), until: secondsAfter(wall.now(), got.lifeSeconds - MARGIN_SECONDS) }
    return cached?.token
  }
  return {
    get: async () => {
      if (cached !== undefined && wall.now() < cached.until) return cached.token
      underWay ??= renew().finally(() => {
        underWay = undefined
      })
      return underWay
    },
    forget: () => {
      cached = undefined
    },
  }
}
