import { type Clock, secondsAfter } from '@kobo/gateway/kernel/clock.ts'
import { type Hidden, hidden } from '@kobo/gateway/kernel/hidden.ts'

/** A token is not used in the last seconds of its life. */
const MARGIN_SECONDS = 30

export interface Token {
  readonly token: string
  readonly lifeSeconds: number
}

export interface Tokens {
  /** The token; undefined where the partner gives none, so that nothing can be asked. */
  readonly get: () => Promise<Hidden<string> | undefined>
  /** Forgets a token that was refused. */
  readonly forget: () => void
}

/** Keeps a partner's token for as long as it lives. Those who need one at once wait for the same one. */
export function keepToken(wall: Clock, obtain: () => Promise<Token | undefined>): Tokens {
  let kept: { readonly token: Hidden<string>; readonly until: Date } | undefined
  let underWay: Promise<Hidden<string> | undefined> | undefined
  async function renew(): Promise<Hidden<string> | undefined> {
    const got = await obtain()
    kept =
      got === undefined
        ? undefined
        : { token: hidden(got.token), until: secondsAfter(wall.now(), got.lifeSeconds - MARGIN_SECONDS) }
    return kept?.token
  }
  return {
    get: async () => {
      if (kept !== undefined && wall.now() < kept.until) return kept.token
      underWay ??= renew().finally(() => {
        underWay = undefined
      })
      return underWay
    },
    forget: () => {
      kept = undefined
    },
  }
}
