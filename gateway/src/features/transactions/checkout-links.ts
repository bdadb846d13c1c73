import type { Keyring } from '../../core/security/keyring.ts'
import { equalSecrets, openHmacSha256 } from '../../platform/crypto.ts'

/** Characters of base64url, six bits each: nobody finds one of 2^132 by trying. */
const KEY_LENGTH = 22
const SEPARATOR = '.'

/**
 * Where customers pay transactions. The address ends with the transaction's reference, whose form anyone can guess, and a
 * key that follows from it by a secret of ours. So a link is checked without a look at the database, and nothing is stored.
 */
export interface CheckoutLinks {
  /** What names a checkout in addresses: `KOBO|01|20260301093000|000001.` and the key. */
  readonly nameOf: (transactionReference: string) => string
  readonly urlOf: (transactionReference: string) => string
  /** The transaction reference of a name; undefined where its key is missing or wrong. */
  readonly read: (name: string) => string | undefined
}

export function openCheckoutLinks(keyring: Keyring, publicUrl: () => string): CheckoutLinks {
  const sign = openHmacSha256(keyring.derive('checkout links'))
  const nameOf = (transactionReference: string): string =>
    transactionReference + SEPARATOR + sign(transactionReference).slice(0, KEY_LENGTH)
  return {
    nameOf,
    urlOf: (transactionReference) => `${publicUrl()}/checkout/${encodeURIComponent(nameOf(transactionReference))}`,
    read: (name) => {
      const transactionReference = name.slice(0, -(SEPARATOR.length + KEY_LENGTH))
      return equalSecrets(nameOf(transactionReference), name) ? transactionReference : undefined
    },
  }
}
