import { randomUUID } from 'node:crypto'
import { createSigner, createVerifier, TokenError } from 'fast-jwt'
import type { Clock } from '../kernel/clock.ts'

export const ACCESS_TOKEN_SECONDS = 3_600
const READ_TOKENS_KEPT_MAX = 10_000

/** What became of a token that was shown. */
export type TokenReading =
  | { readonly kind: 'valid'; readonly merchantId: bigint }
  | { readonly kind: 'expired' }
  | { readonly kind: 'malformed' }

/** Signs and reads access tokens. They live in real time, whatever the sandbox clock says. */
export interface Tokens {
  readonly sign: (merchantId: bigint) => string
  readonly read: (token: string) => TokenReading
}

export function accessTokens(key: Buffer, wall: Clock): Tokens {
  const sign = createSigner({ key, algorithm: 'HS256' })
  // The verifier reads the system clock; we check `exp` ourselves, by the clock that we were given.
  const verify = createVerifier({ key, algorithms: ['HS256'], ignoreExpiration: true, requiredClaims: ['sub', 'exp'] })
  // A merchant shows the same token with every request of an hour, so good ones are remembered.
  const kept = new Map<string, { readonly merchantId: bigint; readonly expiresAt: number }>()

  function verified(token: string): { readonly merchantId: bigint; readonly expiresAt: number } {
    const known = kept.get(token)
    if (known !== undefined) return known
    const { sub, exp } = verify(token) as { sub: string; exp: number }
    const claims = { merchantId: BigInt(sub), expiresAt: exp * 1_000 }
    if (kept.size >= READ_TOKENS_KEPT_MAX) kept.clear()
    kept.set(token, claims)
    return claims
  }

  return {
    sign: (merchantId) => {
      const issuedAt = Math.floor(wall.now().getTime() / 1_000)
      return sign({ sub: String(merchantId), iat: issuedAt, exp: issuedAt + ACCESS_TOKEN_SECONDS, jti: randomUUID() })
    },
    read: (token) => {
      try {
        const { merchantId, expiresAt } = verified(token)
        return expiresAt <= wall.now().getTime() ? { kind: 'expired' } : { kind: 'valid', merchantId }
      } catch (error) {
        if (error instanceof TokenError || error instanceof SyntaxError) return { kind: 'malformed' }
        throw error
      }
    },
  }
}
