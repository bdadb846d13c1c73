import { accessRefusals } from '@kobo/contract'
import { refusals } from '../../../kernel/errors.ts'
import { equalSecrets } from '../../../platform/crypto.ts'
import type { Core } from '../../core.ts'
import { type Merchant, markSecretUsed, type Secret, validSecrets } from '../../merchants/index.ts'

const { missingCredentials, invalidCredentials } = refusals(accessRefusals)

/** The keys presented at login. */
export interface ShownKeys {
  readonly apiKey: string
  readonly secretKey: string
}

/** Which of the merchant's secrets was presented, if any. Takes the same time for an unknown merchant. */
export async function findShownSecret(
  { directory, clock }: Core,
  merchant: Merchant | undefined,
  secretKey: string,
): Promise<Secret | undefined> {
  const secrets = merchant === undefined ? [] : validSecrets(merchant, clock.now())
  // Every secret is compared, or a dummy if there is none, so timing reveals nothing.
  let used: Secret | undefined
  for (const secret of secrets) if (equalSecrets(secret.key.reveal(), secretKey)) used = secret
  if (secrets.length === 0) equalSecrets('no such merchant', secretKey)
  if (merchant === undefined || used === undefined) return undefined
  if (used.firstUsedAt === null) {
    const { id } = used
    await directory.change(merchant.id, ({ tx, at }) => markSecretUsed(tx, merchant.id, id, at))
  }
  return used
}

const BASIC = /^Basic +([A-Za-z0-9+/=_-]+)\s*$/i

/** The keys in a `Basic` header. */
export function readBasic(authorization: string | undefined): ShownKeys {
  if (authorization === undefined || authorization.trim() === '') throw missingCredentials()
  const encoded = BASIC.exec(authorization)?.[1]
  if (encoded === undefined) throw invalidCredentials()
  const text = Buffer.from(encoded, 'base64').toString()
  const colon = text.indexOf(':')
  if (colon < 0 || text.includes('\0')) throw invalidCredentials()
  return { apiKey: text.slice(0, colon), secretKey: text.slice(colon + 1) }
}
