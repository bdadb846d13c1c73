import { refusal } from '../../kernel/errors.ts'
import { equalSecrets } from '../../platform/crypto.ts'
import type { Core } from '../core.ts'
import { type Merchant, markSecretUsed, validSecrets } from '../merchants/index.ts'

const credentialErrors = {
  missingHeader: refusal(401, () => 'Authorization header is missing: send Basic base64(apiKey:secretKey)'),
  /** The same for an unknown key and a wrong secret: which of the two it was is nobody's business. */
  invalidCredentials: refusal(401, () => 'Invalid API key or secret key'),
}

/** The merchant behind a `Basic` header. Takes the same time and gives the same answer for an unknown key and a wrong secret. */
export async function checkCredentials(
  { directory, clock }: Core,
  authorization: string | undefined,
): Promise<Merchant> {
  if (authorization === undefined || authorization.trim() === '') throw credentialErrors.missingHeader()
  const { apiKey, secretKey } = readBasic(authorization)
  const merchant = await directory.byApiKey(apiKey)
  const secrets = merchant === undefined ? [] : validSecrets(merchant, clock.now())
  // Every secret is compared, and one that fits nobody where there is none, so that time tells nothing.
  let used: (typeof secrets)[number] | undefined
  for (const secret of secrets) if (equalSecrets(secret.key.reveal(), secretKey)) used = secret
  if (secrets.length === 0) equalSecrets('no such merchant', secretKey)
  if (merchant === undefined || used === undefined) throw credentialErrors.invalidCredentials()
  if (used.firstUsedAt === null) {
    const { id } = used
    await directory.change(merchant.id, ({ tx, at }) => markSecretUsed(tx, merchant.id, id, at))
  }
  return merchant
}

const BASIC = /^Basic +([A-Za-z0-9+/=_-]+)\s*$/i

function readBasic(authorization: string): { apiKey: string; secretKey: string } {
  const encoded = BASIC.exec(authorization)?.[1]
  if (encoded === undefined) throw credentialErrors.invalidCredentials()
  const text = Buffer.from(encoded, 'base64').toString()
  const colon = text.indexOf(':')
  if (colon < 0 || text.includes('\0')) throw credentialErrors.invalidCredentials()
  return { apiKey: text.slice(0, colon), secretKey: text.slice(colon + 1) }
}
