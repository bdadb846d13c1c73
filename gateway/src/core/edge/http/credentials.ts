import { accessRefusals } from '@kobo/contract'
import { refusals } from '../../../kernel/errors.ts'
import { equalSecrets } from '../../../platform/crypto.ts'
import type { Core } from '../../core.ts'
import { type Merchant, markSecretUsed, type Secret, validSecrets } from '../../merchants/index.ts'

const { missingCredentials, invalidCredentials } = refusals(accessRefusals)

/** What a caller shows to log in. */
export interface ShownKeys {
  readonly apiKey: string
  readonly secretKey: string
}

/** The merchant behind keys, and which of its secrets was shown. Takes the same time and gives the same answer for an unknown key and a wrong secret. */
export async function checkCredentials(
  { directory, clock }: Core,
  { apiKey, secretKey }: ShownKeys,
): Promise<{ readonly merchant: Merchant; readonly secret: Secret }> {
  const merchant = await directory.byApiKey(apiKey)
  const secrets = merchant === undefined ? [] : validSecrets(merchant, clock.now())
  // Every secret is compared, and one that fits nobody where there is none, so that time tells nothing.
  let used: Secret | undefined
  for (const secret of secrets) if (equalSecrets(secret.key.reveal(), secretKey)) used = secret
  if (secrets.length === 0) equalSecrets('no such merchant', secretKey)
  if (merchant === undefined || used === undefined) throw invalidCredentials()
  if (used.firstUsedAt === null) {
    const { id } = used
    await directory.change(merchant.id, ({ tx, at }) => markSecretUsed(tx, merchant.id, id, at))
  }
  return { merchant, secret: used }
}

const BASIC = /^Basic +([A-Za-z0-9+/=_-]+)\s*$/i

/** The keys of a `Basic` header. */
export function readBasic(authorization: string | undefined): ShownKeys {
  if (authorization === undefined || authorization.trim() === '') throw missingCredentials()
  const encoded = BASIC.exec(authorization)?.[1]
  if (encoded === undefined) throw invalidCredentials()
  const text = Buffer.from(encoded, 'base64').toString()
  const colon = text.indexOf(':')
  if (colon < 0 || text.includes('\0')) throw invalidCredentials()
  return { apiKey: text.slice(0, colon), secretKey: text.slice(colon + 1) }
}
