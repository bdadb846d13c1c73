import { randomCode } from '../../kernel/ids.ts'
import { type AuditRecord, audit, personOf } from '../security/audit.ts'
import type { Keyring } from '../security/keyring.ts'
import { sealedColumn } from '../security/sealed-column.ts'
import type { UnitOfWork } from '../unit-of-work.ts'
import { expireOtherSecrets, insertSecret, secrets } from './repository.ts'

const SECRET_LENGTH = 32

/** Returns the encryption context of a merchant's secrets: they cannot be decrypted for another merchant. */
export const secretContext = (merchantId: bigint): string => `merchant-secret/${merchantId}`

export const sealedSecrets = [sealedColumn('records', secrets, 'sealed', ({ merchantId }) => secretContext(merchantId))]

/** Adds a secret key; returns its id and the key, which is not shown again. */
export function addSecret(
  { tx, ids, at }: UnitOfWork,
  keyring: Keyring,
  merchantId: bigint,
  madeBy: bigint | null = null,
): { readonly id: bigint; readonly secretKey: string } {
  const id = ids.id()
  const secretKey = randomCode(SECRET_LENGTH)
  const sealed = keyring.seal(secretKey, secretContext(merchantId))
  insertSecret(tx, { merchantId, id, sealed, createdAt: at, firstUsedAt: null, expiresAt: null, madeBy })
  return { id, secretKey }
}

/** Adds a secret key and lets the others expire after the overlap. Returns the key, which is not shown again. */
export function rotateSecret(
  unit: UnitOfWork,
  keyring: Keyring,
  merchantId: bigint,
  overlapEnds: Date,
  by: Pick<AuditRecord, 'actor' | 'name' | 'address'> = { actor: 'command line' },
): string {
  const { id, secretKey } = addSecret(unit, keyring, merchantId, personOf(by.actor))
  expireOtherSecrets(unit.tx, merchantId, id, overlapEnds)
  audit(unit, { merchantId, act: 'secret.rotate', ...by, details: { overlapEnds } })
  return secretKey
}
