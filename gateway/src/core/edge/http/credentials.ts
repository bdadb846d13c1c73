import { accessRefusals } from '@kobo/contract'
import { refusals } from '../../../kernel/errors.ts'
import { equalSecrets } from '../../../platform/crypto.ts'
import type { Core } from '../../core.ts'
import {
  findBySecret,
  type Merchant,
  markKeyUsed,
  markSecretUsed,
  type RestrictedKey,
  type Secret,
  validSecrets,
} from '../../merchants/index.ts'

const { missingCredentials, invalidCredentials } = refusals(accessRefusals)

export interface PresentedKeys {
  readonly apiKey: string
  readonly secretKey: string
}

/** The key that was presented: the merchant's own, or a restricted one. */
export interface PresentedKey {
  readonly id: bigint
  readonly restricted?: RestrictedKey
}

/** Finds the merchant's key that matches the presented secret key. Takes the same time if the merchant is unknown. */
export async function findPresentedKey(
  { db, directory, clock }: Core,
  merchant: Merchant | undefined,
  secretKey: string,
): Promise<PresentedKey | undefined> {
  const at = clock.now()
  const secrets = merchant === undefined ? [] : validSecrets(merchant, at)
  // Compares every secret, or a dummy if there is none, so that the time taken reveals nothing.
  let used: Secret | undefined
  for (const secret of secrets) if (equalSecrets(secret.key.reveal(), secretKey)) used = secret
  if (secrets.length === 0) equalSecrets('no such merchant', secretKey)
  if (merchant === undefined) return undefined
  if (used === undefined) {
    const restricted = findBySecret(merchant.restrictedKeys, secretKey, at)
    if (restricted === undefined) return undefined
    await markKeyUsed(db, merchant.id, restricted.id, at)
    return { id: restricted.id, restricted }
  }
  if (used.firstUsedAt === null) {
    const { id } = used
    await directory.change(merchant.id, ({ tx, at }) => markSecretUsed(tx, merchant.id, id, at))
  }
  return used
}

const BASIC = /^Basic +([A-Za-z0-9+/=_-]+)\s*$/i

/** Returns the keys in a `Basic` header; throws if there are none. */
export function readBasic(authorization: string | undefined): PresentedKeys {
  if (authorization === undefined || authorization.trim() === '') throw missingCredentials()
  const keys = parseBasic(authorization)
  if (keys === undefined) throw invalidCredentials()
  return keys
}

/** Returns the keys in a `Basic` header; undefined if it has none. */
export function parseBasic(authorization: string): PresentedKeys | undefined {
  const encoded = BASIC.exec(authorization)?.[1]
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, 'base64').toString()
  const colon = text.indexOf(':')
  if (colon < 0 || text.includes('\0')) return undefined
  return { apiKey: text.slice(0, colon), secretKey: text.slice(colon + 1) }
}
