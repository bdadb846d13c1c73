import { keyedHash } from '../../platform/crypto.ts'
import type { Keyring } from '../security/keyring.ts'

/** How a merchant identifies a customer. */
export interface Identifiers {
  readonly email?: string | undefined
  readonly phone?: string | undefined
}

/** The replacement of a customer. */
export interface Pseudonym {
  readonly name: string
  readonly email: string
  readonly phone: string
  readonly accountNumber: string
  /** Replaces free text about the customer. */
  readonly text: string
}

/** A merchant's customer to be erased. */
export interface Customer {
  readonly merchantId: bigint
  /** The customer's email in lower case, and the pseudonym's, to find the rows of an interrupted run. */
  readonly emails: readonly string[]
  readonly phones: readonly string[]
  readonly pseudonym: Pseudonym
}

const LENGTH = 16
/** An account number that no bank uses. */
const NO_ACCOUNT = '0000000000'
/** A phone number that no phone has. */
const NO_PHONE = '00000000000'

/**
 * Returns a merchant's customer by email or phone number. The pseudonym is derived with a key, so a repeated run uses
 * the same pseudonym, and no one can reverse it without the key.
 */
export function customerOf(keyring: Keyring, merchantId: bigint, { email, phone }: Identifiers): Customer {
  const known = [email?.toLowerCase() ?? '', phone ?? '']
  const digest = Buffer.from(
    keyedHash(keyring.derive('erased customers'), `${merchantId} ${known.join(' ')}`),
    'base64',
  )
  const word = digest.toString('hex').slice(0, LENGTH)
  const pseudonym = {
    name: `Erased ${word}`,
    email: `erased-${word}@erased.invalid`,
    phone: NO_PHONE,
    accountNumber: NO_ACCOUNT,
    text: 'Erased',
  }
  return {
    merchantId,
    emails: email === undefined ? [pseudonym.email] : [email.toLowerCase(), pseudonym.email],
    phones: phone === undefined ? [] : [phone],
    pseudonym,
  }
}

/** Replaces card details; only the scheme stays. */
export const ERASED_CARD = {
  last4: '0000',
  expMonth: '01',
  expYear: '2000',
  bin: '000000',
  bankCode: null,
  bankName: null,
  countryCode: null,
  maskedPan: '000000******0000',
} as const
