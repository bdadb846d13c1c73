import { randomUUID } from 'node:crypto'
import { createSigner, createVerifier, TokenError } from 'fast-jwt'
import type { Clock } from '../../kernel/clock.ts'

export const ACCESS_TOKEN_SECONDS = 3_600
const TOKENS_CACHED_MAX = 10_000

/** The merchant of a token, and the secret that it was issued for. The token expires with that secret. */
export interface TokenHolder {
  readonly merchantId: bigint
  /** Undefined in a token that an older version issued within the last hour. */
  readonly secretId: bigint | undefined
}

export type TokenReading =
  | ({ readonly kind: 'valid' } & TokenHolder)
  | { readonly kind: 'expired' }
  | { readonly kind: 'malformed' }

/** Signing keys, each with an id that tokens carry. */
export interface SigningKeys {
  readonly current: () => { readonly id: string; readonly key: Buffer }
  /** Finds a key by its id; undefined if the key is unknown or retired. Tokens older than key ids have no id. */
  readonly find: (id: string | undefined) => Buffer | undefined
}

/** Signs and reads access tokens. Tokens use real time, not the sandbox's clock. */
export interface Tokens {
  readonly sign: (merchantId: bigint, secretId: bigint) => string
  readonly read: (token: string) => TokenReading
}

interface Claims {
  readonly keyId: string | undefined
  readonly holder: { readonly kind: 'valid' } & TokenHolder
  readonly expiresAt: number
}

const EXPIRED = { kind: 'expired' } as const

export function accessTokens(keys: SigningKeys, wall: Clock): Tokens {
  const signers = new Map<string, (claims: object) => string>()
  const verifiers = new Map<string | undefined, (token: string) => unknown>()

  function signer(): (claims: object) => string {
    const { id, key } = keys.current()
    const known = signers.get(id) ?? createSigner({ key, algorithm: 'HS256', kid: id })
    signers.set(id, known)
    return known
  }

  function verifier(id: string | undefined): (token: string) => unknown {
    const key = keys.find(id)
    if (key === undefined) throw new SyntaxError('the token was signed with an unknown key')
    // The verifier would read the system's clock, so `exp` is checked here with the given clock.
    const known =
      verifiers.get(id) ??
      createVerifier({ key, algorithms: ['HS256'], ignoreExpiration: true, requiredClaims: ['sub', 'exp'] })
    verifiers.set(id, known)
    return known
  }

  // A merchant sends the same token for an hour, so valid tokens are cached as long as their keys exist.
  const cached = new Map<string, Claims>()

  function verified(token: string): Claims {
    const known = cached.get(token)
    if (known !== undefined && keys.find(known.keyId) !== undefined) return known
    const keyId = keyIdIn(token)
    const { sub, exp, sid } = verifier(keyId)(token) as { sub: string; exp: number; sid?: string }
    const secretId = sid === undefined ? undefined : BigInt(sid)
    const holder = { kind: 'valid', merchantId: BigInt(sub), secretId } as const
    const claims = { keyId, holder, expiresAt: exp * 1_000 }
    if (cached.size >= TOKENS_CACHED_MAX) cached.clear()
    cached.set(token, claims)
    return claims
  }

  return {
    sign: (merchantId, secretId) => {
      const issuedAt = Math.floor(wall.now().getTime() / 1_000)
      return signer()({
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
        return expiresAt <= wall.now().getTime() ? EXPIRED : holder
      } catch (error) {
        if (error instanceof TokenError || error instanceof SyntaxError) return { kind: 'malformed' }
        throw error
      }
    },
  }
}

const KEY_ID = /^\d{1,5}$/

function keyIdIn(token: string): string | undefined {
  const header: unknown = JSON.parse(Buffer.from(token.slice(0, token.indexOf('.')), 'base64url').toString())
  const id = typeof header === 'object' && header !== null ? (header as { readonly kid?: unknown }).kid : undefined
  if (id === undefined) return undefined
  if (typeof id !== 'string' || !KEY_ID.test(id)) throw new SyntaxError('a key id must be a number')
  return id
}
