import { randomCode } from '../../kernel/ids.ts'
import { type AuditRecord, audit } from '../security/audit.ts'
import type { Keyring } from '../security/keyring.ts'
import { sealedColumn } from '../security/sealed-column.ts'
import type { UnitOfWork } from '../unit-of-work.ts'
import { expireOtherSecrets, insertSecret, secrets } from './repository.ts'

const SECRET_LENGTH = 32

/** Where a merchant's secrets belong: sealed for one merchant, they open for no other. */
export const secretContext = (merchantId: bigint): string => `merchant-secret/${merchantId}`

/** The merchants' secret keys. */
export const sealedSecrets = [sealedColumn('records', secrets, 'sealed', ({ merchantId }) => secretContext(merchantId))]

/** Gives a merchant a further secret key; answers its id, and the key itself, this once. */
export function addSecret(
  { tx, ids, at }: UnitOfWork,
  keyring: Keyring,
  merchantId: bigint,
): { readonly id: bigint; readonly secretKey: string } {
  const id = ids.id()
  const secretKey = randomCode(SECRET_LENGTH)
  const sealed = keyring.seal(secretKey, secretContext(merchantId))
  insertSecret(tx, { merchantId, id, sealed, createdAt: at, firstUsedAt: null, expiresAt: null })
  return { id, secretKey }
}

/** Gives a merchant a new secret key; the old ones stay valid until the overlap ends. Answers the new one, this once. */
export function rotateSecret(
  unit: UnitOfWork,
  keyring: Keyring,
  merchantId: bigint,
  overlapEnds: Date,
  by: Pick<AuditRecord, 'actor' | 'name' | 'address'> = { actor: 'command line' },
): string {
  const { id, secretKey } = addSecret(unit, keyring, merchantId)
  expireOtherSecrets(unit.tx, merchantId, id, overlapEnds)
  audit(unit, { merchantId, act: 'secret.rotate', ...by, details: { overlapEnds } })
  return secretKey
}
