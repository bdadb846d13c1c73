import { randomUUID } from 'node:crypto'
import { createSigner, createVerifier, TokenError } from 'fast-jwt'
import type { Clock } from '../kernel/clock.ts'

export const ACCESS_TOKEN_SECONDS = 3_600
const READ_TOKENS_KEPT_MAX = 10_000

/** Who a token was given to, and for which of the merchant's secrets: it ends with that. */
export interface TokenHolder {
  readonly merchantId: bigint
  /** Undefined in tokens of a version that did not say; none is older than an hour. */
  readonly secretId: bigint | undefined
}

/** What became of a token that was shown. */
export type TokenReading =
  | ({ readonly kind: 'valid' } & TokenHolder)
  | { readonly kind: 'expired' }
  | { readonly kind: 'malformed' }

/** Signs and reads access tokens. They live in real time, whatever the sandbox clock says. */
export interface Tokens {
  readonly sign: (merchantId: bigint, secretId: bigint) => string
  readonly read: (token: string) => TokenReading
}

interface Claims {
  readonly holder: TokenHolder
  readonly expiresAt: number
}

export function accessTokens(key: Buffer, wall: Clock): Tokens {
  const sign = createSigner({ key, algorithm: 'HS256' })
  // The verifier reads the system clock; we check `exp` ourselves, by the clock that we were given.
  const verify = createVerifier({ key, algorithms: ['HS256'], ignoreExpiration: true, requiredClaims: ['sub', 'exp'] })
  // A merchant shows the same token with every request of an hour, so good ones are remembered.
  const kept = new Map<string, Claims>()

  function verified(token: string): Claims {
    const known = kept.get(token)
    if (known !== undefined) return known
    const { sub, exp, sid } = verify(token) as { sub: string; exp: number; sid?: string }
    const holder = { merchantId: BigInt(sub), secretId: sid === undefined ? undefined : BigInt(sid) }
    const claims = { holder, expiresAt: exp * 1_000 }
    if (kept.size >= READ_TOKENS_KEPT_MAX) kept.clear()
    kept.set(token, claims)
    return claims
  }

  return {
    sign: (merchantId, secretId) => {
      const issuedAt = Math.floor(wall.now().getTime() / 1_000)
      return sign({
        sub: String(merchantId),
        sid: String(secretId),
        iat: issuedAt,
        exp: issuedAt + ACCESS_TOKEN_SECONDS,
        jti: randomUUID(),
      })
    },
    read: (token) => {
      try {
        const { holder, expiresAt } = verified(token)
        return expiresAt <= wall.now().getTime() ? { kind: 'expired' } : { kind: 'valid', ...holder }
      } catch (error) {
        if (error instanceof TokenError || error instanceof SyntaxError) return { kind: 'malformed' }
        throw error
      }
    },
  }
}
