import type { Merchant } from '../../core/merchants/index.ts'
import type { MerchantMail } from '../../core/messages/mail.ts'
import type { Keyring } from '../../core/security/keyring.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import type { Refusal } from '../../kernel/errors.ts'
import { type Hidden, hidden } from '../../kernel/hidden.ts'
import { randomDigits } from '../../kernel/ids.ts'
import { formatNaira, type Kobo } from '../../kernel/money.ts'
import { equalSecrets, keyedHash } from '../../platform/crypto.ts'
import { disbursementErrors } from './errors.ts'
import type { AuthorizationRow, TransferKey } from './repository.ts'

const CODE_LENGTH = 6
const CODE_SECONDS = 600
const TRIES_MAX = 5
const RESEND_AFTER_SECONDS = 60

export const codeKeyOf = (keyring: Keyring): Buffer => keyring.derive('transfer authorization codes')

/** Creates a code for a payout, and the row that stores its hash. */
export function newCode(
  key: Buffer,
  { merchantId, id }: TransferKey,
  at: Date,
): { readonly code: Hidden<string>; readonly authorization: AuthorizationRow } {
  const code = randomDigits(CODE_LENGTH)
  const codeHash = hashOf(key, { merchantId, id }, code)
  return { code: hidden(code), authorization: { merchantId, ownerId: id, codeHash, sentAt: at, tries: 0 } }
}

/** Returns the hash of a code and its payout, so that the same digits have another hash for another payout. */
const hashOf = (key: Buffer, { merchantId, id }: TransferKey, code: string): string =>
  keyedHash(key, `${merchantId}/${id}/${code}`)

export const isRightCode = (key: Buffer, { merchantId, ownerId, codeHash }: AuthorizationRow, code: string): boolean =>
  equalSecrets(hashOf(key, { merchantId, id: ownerId }, code), codeHash)

/** Returns the error if a code must be rejected. */
export function checkCode({ sentAt, tries }: AuthorizationRow, isRight: boolean, at: Date): Refusal | undefined {
  if (sentAt === null) return disbursementErrors.codeNotSent()
  if (tries >= TRIES_MAX) return disbursementErrors.usedUpCode()
  if (at >= secondsAfter(sentAt, CODE_SECONDS)) return disbursementErrors.expiredCode()
  return isRight ? undefined : disbursementErrors.wrongCode()
}

/** Whether a rejected code uses up an attempt. */
export const countsAsAttempt = ({ sentAt, tries }: AuthorizationRow, isRight: boolean): boolean =>
  !isRight && sentAt !== null && tries < TRIES_MAX

/** Rejects a resend too soon after the last code. */
export function checkResend({ sentAt }: AuthorizationRow, at: Date): Refusal | undefined {
  if (sentAt === null) return undefined
  const wait = secondsAfter(sentAt, RESEND_AFTER_SECONDS).getTime() - at.getTime()
  return wait > 0 ? disbursementErrors.sentJustNow(Math.ceil(wait / 1_000)) : undefined
}

export const codeMail = (
  { id, name, email }: Merchant,
  { what, reference, amount }: { readonly what: string; readonly reference: string; readonly amount: Kobo },
  code: Hidden<string>,
): MerchantMail => ({
  merchantId: id,
  to: email,
  subject: `Authorization code for ${reference}`,
  text: [
    `Hello ${name},`,
    '',
    `${code.reveal()} is your code to authorize ${what}.`,
    '',
    `Reference: ${reference}`,
    `Amount including fees: ${formatNaira(amount)}`,
    '',
    `It is valid for ${CODE_SECONDS / 60} minutes. If you did not request it, do not share it.`,
    '',
  ].join('\n'),
})
