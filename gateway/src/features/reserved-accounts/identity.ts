import type { Keyring } from '../../core/security/keyring.ts'
import type { PaymentSources } from './sources.ts'

interface Owner {
  readonly merchantId: bigint
  readonly id: bigint
}

type SealedField = 'bvn' | 'nin' | 'allowed-payment-sources'

export const contextOf = ({ merchantId, id }: Owner, field: SealedField): string =>
  `reserved-account/${merchantId}/${id}/${field}`

/** Encrypts a BVN or NIN. It can be decrypted only in its own row and column. */
export const sealNumber = (
  keyring: Keyring,
  owner: Owner,
  field: 'bvn' | 'nin',
  number: string | null,
): Buffer | null => (number === null ? null : keyring.seal(number, contextOf(owner, field)))

export const openNumber = (
  keyring: Keyring,
  owner: Owner,
  field: 'bvn' | 'nin',
  sealed: Buffer | null,
): string | null => (sealed === null ? null : keyring.open(sealed, contextOf(owner, field)))

/** Encrypts allowed payers, because they include BVNs. */
export const sealSources = (keyring: Keyring, owner: Owner, sources: PaymentSources | null): Buffer | null =>
  sources === null ? null : keyring.seal(JSON.stringify(sources), contextOf(owner, 'allowed-payment-sources'))

export const openSources = (keyring: Keyring, owner: Owner, sealed: Buffer | null): PaymentSources | null =>
  sealed === null ? null : JSON.parse(keyring.open(sealed, contextOf(owner, 'allowed-payment-sources')))
