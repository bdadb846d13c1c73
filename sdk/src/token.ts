/** An access token and its expiry, by this process's clock. */
interface Token {
  readonly text: string
  readonly expiresAt: number
}

export interface Tokens {
  /** Returns the current token; logs in if needed. */
  readonly current: () => Promise<string>
  /** Drops a token that the gateway rejected. */
  readonly forget: (text: string) => void
}

/** Tokens are renewed this long before they expire. */
const MARGIN_SECONDS = 60

/** Caches an access token and renews it in time; concurrent callers share one login. */
export function cacheToken(logIn: () => Promise<{ readonly accessToken: string; readonly expiresIn: number }>): Tokens {
  let cached: Token | undefined
  let renewal: Promise<Token> | undefined

  async function renew(): Promise<Token> {
    const startedAt = performance.now()
    const { accessToken, expiresIn } = await logIn()
    return { text: accessToken, expiresAt: startedAt + Math.max(expiresIn - MARGIN_SECONDS, expiresIn / 2) * 1_000 }
  }

  return {
    current: async () => {
      if (cached !== undefined && performance.now() < cached.expiresAt) return cached.text
      renewal ??= renew().finally(() => {
        renewal = undefined
      })
      cached = await renewal
      return cached.text
    },
    forget: (text) => {
      if (cached?.text === text) cached = undefined
    },
  }
}
