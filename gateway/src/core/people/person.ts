import { keyedHash } from '../../platform/crypto.ts'
import type { Keyring } from '../security/keyring.ts'

/** By what a merchant knows a customer. */
export interface Identifiers {
  readonly email?: string | undefined
  readonly phone?: string | undefined
}

/** What stands in a person's place once they are forgotten. */
export interface Pseudonym {
  readonly name: string
  readonly email: string
  readonly phone: string
  readonly accountNumber: string
  /** For whatever somebody wrote about them. */
  readonly text: string
}

/** A customer of one merchant who is to be forgotten. */
export interface Person {
  readonly merchantId: bigint
  /** In lower case: the person's own, and the pseudonym's, since what was forgotten in part is found again by that. */
  readonly emails: readonly string[]
  readonly phones: readonly string[]
  readonly pseudonym: Pseudonym
}

const LENGTH = 16
/** No bank has it, and it is as long as theirs. */
const NO_ACCOUNT = '0000000000'
/** No phone has it. */
const NO_PHONE = '00000000000'

/**
 * The person whom a merchant knows by an email or a phone number. The pseudonym follows from these under a key, so that the
 * command that is started again goes on with the same, and nobody without the key tells from it who it was.
 */
export function personOf(keyring: Keyring, merchantId: bigint, { email, phone }: Identifiers): Person {
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

/** What is put over what is known of a card: its scheme alone stays. */
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
