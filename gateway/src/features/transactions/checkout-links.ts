import type { Keyring } from '../../core/security/keyring.ts'
import { equalSecrets, openHmac } from '../../platform/crypto.ts'

/** The length of a key in base64url, six bits per character: 2^132 keys are too many to guess. */
const KEY_LENGTH = 22
const SEPARATOR = '.'

/**
 * Checkout URLs. A URL ends with the transaction's reference, which is guessable, and a key derived from it with our
 * secret. So a link is checked without the database, and no key is stored.
 */
export interface CheckoutLinks {
  /** The name of a checkout in URLs: `KOBO|01|20260301093000|000001.` and the key. */
  readonly nameOf: (transactionReference: string) => string
  readonly urlOf: (transactionReference: string) => string
  /** The transaction reference of a name; undefined if its key is missing or wrong. */
  readonly read: (name: string) => string | undefined
}

export function openCheckoutLinks(keyring: Keyring, publicUrl: () => string): CheckoutLinks {
  const sign = openHmac('sha256', keyring.derive('checkout links'), 'base64url')
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
