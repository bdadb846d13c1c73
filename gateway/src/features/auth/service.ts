import { type Merchant, type MerchantDirectory, markSecretUsed, validSecrets } from '../../core/merchants/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { equalSecrets } from '../../platform/crypto.ts'
import { authErrors } from './errors.ts'

interface Deps {
  readonly directory: MerchantDirectory
  readonly clock: Clock
}

/** The merchant behind a `Basic` header. Takes the same time and gives the same answer for an unknown key and a wrong secret. */
export async function checkCredentials({ directory, clock }: Deps, authorization: string | undefined): Promise<Merchant> {
  if (authorization === undefined || authorization.trim() === '') throw authErrors.missingHeader()
  const { apiKey, secretKey } = readBasic(authorization)
  const merchant = await directory.byApiKey(apiKey)
  const secrets = merchant === undefined ? [] : validSecrets(merchant, clock.now())
  // Every secret is compared, and one that fits nobody where there is none, so that time tells nothing.
  let used: (typeof secrets)[number] | undefined
  for (const secret of secrets) if (equalSecrets(secret.key.reveal(), secretKey)) used = secret
  if (secrets.length === 0) equalSecrets('no such merchant', secretKey)
  if (merchant === undefined || used === undefined) throw authErrors.invalidCredentials()
  if (used.firstUsedAt === null) {
    const { id } = used
    await directory.change(merchant.id, (tx) => markSecretUsed(tx, merchant.id, id, clock.now()))
  }
  return merchant
}

const BASIC = /^Basic +([A-Za-z0-9+/=_-]+)\s*$/i

function readBasic(authorization: string): { apiKey: string; secretKey: string } {
  const encoded = BASIC.exec(authorization)?.[1]
  if (encoded === undefined) throw authErrors.invalidCredentials()
  const text = Buffer.from(encoded, 'base64').toString()
  const colon = text.indexOf(':')
  if (colon < 0 || text.includes('\0')) throw authErrors.invalidCredentials()
  return { apiKey: text.slice(0, colon), secretKey: text.slice(colon + 1) }
}
