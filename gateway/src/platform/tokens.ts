import { randomUUID } from 'node:crypto'
import { createSigner, createVerifier, TokenError } from 'fast-jwt'
import type { Clock } from '../kernel/clock.ts'

export const ACCESS_TOKEN_SECONDS = 3_600
const VERIFIED_TOKENS_KEPT = 10_000
/** Ours are shorter. The verifier remembers wrong tokens too, so a longer one must not reach it. */
const TOKEN_LENGTH_MAX = 512

/** What became of a token that was shown. */
export type TokenReading = { readonly kind: 'valid'; readonly merchantId: bigint } | { readonly kind: 'expired' } | { readonly kind: 'malformed' }

/** Signs and reads access tokens. They live in real time, whatever the sandbox clock says. */
export interface Tokens {
  readonly sign: (merchantId: bigint) => string
  readonly read: (token: string) => TokenReading
}

export function accessTokens(key: Buffer, wall: Clock): Tokens {
  const sign = createSigner({ key, algorithm: 'HS256' })
  // The verifier's own check of time reads the system clock when it is made; we check `exp` ourselves at each use.
  // Tokens are remembered as they are: hashing one would cost more than the rest of the request's checks.
  const verify = createVerifier({
    key,
    algorithms: ['HS256'],
    ignoreExpiration: true,
    requiredClaims: ['sub', 'exp'],
    cache: VERIFIED_TOKENS_KEPT,
    cacheKeyBuilder: (token) => token,
  })

  return {
    sign: (merchantId) => {
      const issuedAt = Math.floor(wall.now().getTime() / 1_000)
      return sign({ sub: String(merchantId), iat: issuedAt, exp: issuedAt + ACCESS_TOKEN_SECONDS, jti: randomUUID() })
    },
    read: (token) => {
      if (token.length > TOKEN_LENGTH_MAX) return { kind: 'malformed' }
      try {
        const { sub, exp } = verify(token) as { sub: string; exp: number }
        return exp * 1_000 <= wall.now().getTime() ? { kind: 'expired' } : { kind: 'valid', merchantId: BigInt(sub) }
      } catch (error) {
        if (error instanceof TokenError || error instanceof SyntaxError) return { kind: 'malformed' }
        throw error
      }
    },
  }
}
