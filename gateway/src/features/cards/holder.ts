import type { Merchant } from '../../core/merchants/index.ts'
import { leaseOrder, type OrderRow } from '../../core/orders/index.ts'
import { type UnitOfWork, unitOfWork } from '../../core/unit-of-work.ts'
import { invariant } from '../../kernel/errors.ts'
import type { Hidden } from '../../kernel/hidden.ts'
import { equalSecrets, keyedHash } from '../../platform/crypto.ts'
import type { Card } from '../../rails/card.ts'
import { transactionErrors, transactionReads } from '../transactions/index.ts'
import { checkCard } from './card.ts'
import { type Charging, orThrow, withTransaction } from './charge.ts'
import type { Charge } from './conclude.ts'
import { cardErrors } from './errors.ts'
import { checkChargeable } from './open.ts'
import { after, WRONG_OTPS_MAX } from './outcome.ts'
import { type AttemptRow, findChallenged, selectAttempts, updateAttempts } from './repository.ts'

/** The OTP that authorizes a charge. */
export interface GivenOtp {
  readonly transactionReference: string
  readonly tokenId: string
  readonly otp: Hidden<string>
  /** The payer's IP address; absent if the merchant's server calls. */
  readonly payerAddress?: string
}

/** Sends the OTP of a charge to the network. */
export async function authorizeOtp(
  { core, charges, declines }: Charging,
  merchant: Merchant,
  { transactionReference, tokenId, otp, payerAddress }: GivenOtp,
): Promise<Charge> {
  const otpHash = keyedHash(core.keyring.derive('card OTPs'), `${tokenId}/${otp.reveal()}`)
  const taken = await unitOfWork(core, (unit) =>
    takeForOtp(unit, { merchantId: merchant.id, transactionReference, tokenId }, otpHash),
  )
  const { attempt, transaction, order } = taken
  if (order === undefined) {
    // Only a repeat of the same OTP gets the outcome, so that a guessed OTP reveals nothing.
    const isAnother = attempt.otpHash !== null && !equalSecrets(attempt.otpHash, otpHash)
    if (attempt.status === 'APPROVED' && isAnother) throw cardErrors.anotherOtp()
    return withTransaction(core, orThrow(taken))
  }
  let isWrong = false
  const charge = await charges.sendWith(order, { attempt, transaction, cardNumber: null }, async (rails) => {
    const response = await rails.card.authorizeOtp({ reference: attempt.reference, otp })
    isWrong = response.kind === 'wrong otp'
    return response
  })
  if (isWrong && charge.attempt.status === 'OTP_REQUIRED')
    throw cardErrors.wrongOtp(WRONG_OTPS_MAX - charge.attempt.otpTries)
  if (charge.attempt.status === 'DECLINED')
    await declines.count({ merchantId: merchant.id, bin: attempt.card.bin, payerAddress })
  return withTransaction(core, orThrow(charge))
}

/**
 * Counts an OTP attempt before it is made, so that parallel attempts are counted too. Returns no order if the charge
 * does not wait for an OTP.
 */
async function takeForOtp(
  unit: UnitOfWork,
  key: { readonly merchantId: bigint; readonly transactionReference: string; readonly tokenId: string },
  otpHash: string,
): Promise<Charge & { readonly order?: OrderRow | undefined }> {
  const { tx, at } = unit
  const [transaction] = await transactionReads.lockByReferences(tx, [key])
  if (transaction === undefined) throw transactionErrors.unknown()
  const all = await selectAttempts(tx, [transaction])
  if (all.length === 0) throw cardErrors.noCardPayment()
  const attempt = all.find(({ reference }) => reference === key.tokenId)
  if (attempt === undefined) throw cardErrors.unknownTokenId()
  if (attempt.status === 'SECURE_3D_REQUIRED') throw cardErrors.notForOtp()
  if (attempt.status !== 'OTP_REQUIRED') return { attempt, transaction }
  const closed = checkChargeable(transaction, attempt.channel, at)
  if (closed !== undefined) throw closed
  const tried = after(attempt, 'tryOtp', { otpTries: attempt.otpTries + 1, otpHash })
  updateAttempts(tx, [tried])
  const order = await leaseOrder(unit, orderOf(tried))
  invariant(order !== undefined, 'an attempt that waits for its holder has an open order')
  return { attempt: tried, transaction, order }
}

/** Queries the outcome of a charge with 3-D Secure. */
export async function authorizeSecure3d(
  charging: Charging,
  merchant: Merchant,
  { transactionReference, card }: { readonly transactionReference: string; readonly card: Card | null },
): Promise<Charge> {
  const { core, vault } = charging
  const error = card === null ? undefined : checkCard(card, core.clock.now())
  if (error !== undefined) throw error
  const transaction = await transactionReads.find(core.db, merchant.id, { transactionReference })
  if (transaction === undefined) throw transactionErrors.unknown()
  const attempt = (await selectAttempts(core.db, [transaction])).at(-1)
  if (attempt === undefined) throw cardErrors.noCardPayment()
  if (card !== null && attempt.fingerprint !== vault.fingerprint(merchant.id, card.number))
    throw cardErrors.anotherCard()
  if (attempt.status !== 'SECURE_3D_REQUIRED') return orThrow({ attempt, transaction })
  const charge = await query(charging, { attempt, transaction })
  const closed =
    charge.attempt.status === 'SECURE_3D_REQUIRED' && checkChargeable(transaction, attempt.channel, core.clock.now())
  if (closed) throw closed
  return withTransaction(core, orThrow(charge))
}

/** Finds the charge of an issuer's page, queries the network about it, and returns whether its challenge is open. */
export async function findChallenge(
  charging: Charging,
  reference: string,
): Promise<(Charge & { readonly isChallengeOpen: boolean }) | undefined> {
  const { core } = charging
  const attempt = await findChallenged(core.db, reference)
  if (attempt === undefined) return undefined
  const charge = await withTransaction(core, await query(charging, await withTransaction(core, { attempt })))
  const isOpen = checkChargeable(charge.transaction, attempt.channel, core.clock.now()) === undefined
  return { ...charge, isChallengeOpen: isOpen && charge.attempt.status === 'SECURE_3D_REQUIRED' }
}

/** Queries the network about a charge now, unless it is final. */
async function query({ core, charges }: Charging, { attempt, transaction }: Charge): Promise<Charge> {
  const order = await unitOfWork(core, (unit) => leaseOrder(unit, orderOf(attempt)))
  if (order !== undefined) return charges.requery(order, { attempt, transaction, cardNumber: null })
  const now = (await selectAttempts(core.db, [transaction])).find(({ number }) => number === attempt.number)
  return { attempt: now ?? attempt, transaction }
}

const orderOf = ({ merchantId, orderId }: AttemptRow) => ({ merchantId, id: orderId })
