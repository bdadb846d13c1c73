/** An access token and when it ends, in milliseconds of this process. */
interface Token {
  readonly text: string
  readonly endsAt: number
}

export interface Tokens {
  /** The token to send now; logs in where there is none. */
  readonly current: () => Promise<string>
  /** The gateway no longer takes this one. */
  readonly forget: (text: string) => void
}

/** A token is renewed this long before it ends, so that none ends on its way. */
const MARGIN_SECONDS = 60

/** Keeps an access token and renews it in time; who asks while a login is under way waits for that one. */
export function keepToken(logIn: () => Promise<{ readonly accessToken: string; readonly expiresIn: number }>): Tokens {
  let kept: Token | undefined
  let underWay: Promise<Token> | undefined

  async function renew(): Promise<Token> {
    const startedAt = performance.now()
    const { accessToken, expiresIn } = await logIn()
    return { text: accessToken, endsAt: startedAt + Math.max(expiresIn - MARGIN_SECONDS, expiresIn / 2) * 1_000 }
  }

  return {
    current: async () => {
      if (kept !== undefined && performance.now() < kept.endsAt) return kept.text
      underWay ??= renew().finally(() => {
        underWay = undefined
      })
      kept = await underWay
      return kept.text
    },
    forget: (text) => {
      if (kept?.text === text) kept = undefined
    },
  }
}
