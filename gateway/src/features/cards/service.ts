import type { Merchant } from '../../core/merchants/index.ts'
import type { Sweep } from '../../core/sweep.ts'
import type { CardOnFile } from '../../core/vault.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { invariant, Refusal } from '../../kernel/errors.ts'
import type { Hidden } from '../../kernel/hidden.ts'
import { inTransaction, type Tx } from '../../platform/db.ts'
import type { Card } from '../../rails/card.ts'
import {
  findTransaction,
  insertTransactions,
  lockTransactionsByReference,
  type TransactionRow,
  transactionErrors,
} from '../transactions/index.ts'
import { type CardDeps, cardAttempts } from './attempts.ts'
import { checkCard } from './card.ts'
import { cardErrors, onCharge } from './errors.ts'
import { isUnderWay } from './machine.ts'
import { ASK_AFTER_SECONDS, checkChargeable, type Opened, openAttempts } from './open.ts'
import { after, WRONG_OTPS_MAX } from './outcome.ts'
import { type AttemptRow, findChallenged, selectAttempts, updateAttempts } from './repository.ts'
import { attemptSweep } from './sweeps.ts'

/** How a charge stands: the attempt, and its transaction. */
export interface Charge {
  readonly attempt: AttemptRow
  readonly transaction: TransactionRow
}

/** Charging cards, for whoever may: the API, the hosted checkout, recurring payments. Refusals, the issuer's too, are thrown. */
export interface Cards {
  /**
   * Charges a card for a transaction. While an earlier charge of the transaction is under way, that one is answered and
   * nothing is charged. The transaction may be as it was before the charge.
   */
  readonly charge: (
    merchant: Merchant,
    wanted: {
      readonly transactionReference: string
      readonly card: Card
      readonly channel: 'API_NOTIFICATION' | 'WEB_SDK'
    },
  ) => Promise<Charge>
  /** Gives the network the OTP of a charge. `tokenId` is the attempt's reference. */
  readonly authorizeOtp: (
    merchant: Merchant,
    given: { readonly transactionReference: string; readonly tokenId: string; readonly otp: Hidden<string> },
  ) => Promise<Charge>
  /** What came of a charge with 3-D Secure. */
  readonly authorizeSecure3d: (
    merchant: Merchant,
    given: { readonly transactionReference: string; readonly card: Card },
  ) => Promise<Charge>
  /** Whether a charge of the transaction was sent and its issuer has not answered yet. */
  readonly isUnderWay: (transaction: TransactionRow) => Promise<boolean>
  /** Opens a transaction and charges a card on file for it, without the card holder. */
  readonly chargeOnFile: (merchant: Merchant, transaction: TransactionRow, card: CardOnFile) => Promise<Charge>
  /** The charge that an issuer's page is about, asked about at the network just now, and whether its holder is still asked. */
  readonly challenged: (reference: string) => Promise<(Charge & { readonly isAsked: boolean }) | undefined>
  readonly sweeps: readonly Sweep[]
}

export function openCards(deps: CardDeps): Cards {
  const { db, clock, ids, vault, rails, publicUrl } = deps
  const attempts = cardAttempts(deps)

  /** Sends an attempt that was opened to the network, and writes down its answer. */
  async function send(
    merchant: Merchant,
    { transaction, attempt }: Opened,
    card: Card,
    initiator: 'HOLDER' | 'MERCHANT',
  ): Promise<Charge> {
    const outcome = await rails.card.charge({
      reference: attempt.reference,
      amount: attempt.amount,
      currencyCode: transaction.currencyCode,
      card,
      initiator,
      merchantName: merchant.name,
      returnUrl: `${publicUrl()}/3ds/${attempt.reference}`,
    })
    return attempts.settle({ attempt, transaction, outcome, cardNumber: card.number })
  }

  /** An attempt with its transaction as it is now. */
  async function present({ attempt }: { readonly attempt: AttemptRow }): Promise<Charge> {
    const transaction = await findTransaction(db, attempt.merchantId, { id: attempt.transactionId })
    invariant(transaction !== undefined, 'an attempt belongs to a transaction')
    return { attempt, transaction }
  }

  return {
    charge: async (merchant, { transactionReference, card, channel }) => {
      const refused = checkCard(card, clock.now())
      if (refused !== undefined) throw refused
      const fingerprint = vault.fingerprint(merchant.id, card.number)
      const opened = await attempts.open({
        merchant,
        transactionReference,
        card,
        fingerprint,
        cardToken: null,
        channel,
      })
      if (opened.kind === 'under way') return opened
      return orRefuse(await send(merchant, opened, card, 'HOLDER'), onCharge)
    },

    authorizeOtp: async (merchant, { transactionReference, tokenId, otp }) => {
      const taken = await inTransaction(db, (tx) =>
        takeForOtp(tx, clock.now(), { merchantId: merchant.id, transactionReference, tokenId }),
      )
      if (taken.attempt.status !== 'AUTHORIZING' || taken.isTwin) return present(orRefuse(taken))
      const { attempt } = taken
      const outcome = await rails.card.authorizeOtp({ reference: attempt.reference, otp })
      const settled = await attempts.settle({ attempt, outcome, cardNumber: null })
      if (outcome.kind === 'wrong otp' && settled.attempt.status === 'OTP_REQUIRED')
        throw cardErrors.wrongOtp(WRONG_OTPS_MAX - settled.attempt.otpTries)
      return present(orRefuse(settled))
    },

    authorizeSecure3d: async (merchant, { transactionReference, card }) => {
      const refused = checkCard(card, clock.now())
      if (refused !== undefined) throw refused
      const transaction = await findTransaction(db, merchant.id, { transactionReference })
      if (transaction === undefined) throw transactionErrors.unknown()
      const attempt = (await selectAttempts(db, [transaction])).at(-1)
      if (attempt === undefined) throw cardErrors.noCardPayment()
      if (attempt.fingerprint !== vault.fingerprint(merchant.id, card.number)) throw cardErrors.anotherCard()
      if (attempt.status !== 'SECURE_3D_REQUIRED') return orRefuse({ attempt, transaction })
      const settled = await attempts.ask(attempt)
      const closed = settled.attempt.status === 'SECURE_3D_REQUIRED' && checkChargeable(transaction, clock.now())
      if (closed) throw closed
      return present(orRefuse(settled))
    },

    isUnderWay: async (transaction) =>
      (await selectAttempts(db, [transaction])).some(({ status }) => isUnderWay(status)),

    chargeOnFile: async (merchant, transaction, onFile) => {
      const { fingerprint, token: cardToken, number, expiryMonth, expiryYear } = onFile
      const card: Card = { number, expiryMonth, expiryYear, cvv: null, pin: null }
      const { transactionReference } = transaction
      const opened = await inTransaction(db, async (tx) => {
        if (!(await insertTransactions(tx, [transaction]))) throw transactionErrors.duplicateReference()
        const wish = {
          merchant,
          transactionReference,
          card,
          fingerprint,
          cardToken,
          channel: 'API_NOTIFICATION',
        } as const
        const [answer] = await openAttempts(tx, ids, clock.now(), [wish])
        if (answer === undefined || answer instanceof Refusal) throw answer
        return answer
      })
      return present(orRefuse(await send(merchant, opened, card, 'MERCHANT')))
    },

    challenged: async (reference) => {
      const attempt = await findChallenged(db, reference)
      if (attempt === undefined) return undefined
      const charge = await present(isFinal(attempt) ? { attempt } : await attempts.ask(attempt))
      const isOpen = checkChargeable(charge.transaction, clock.now()) === undefined
      return { ...charge, isAsked: isOpen && charge.attempt.status === 'SECURE_3D_REQUIRED' }
    },

    sweeps: [attemptSweep(deps, attempts)],
  }
}

/** Nothing more is to come of it, or only its money going back. */
const isFinal = ({ askAt, status }: AttemptRow): boolean => askAt === null || status === 'REVERSING'

/** Answers a charge that came to something, or may still; throws why not. */
function orRefuse<C extends Charge>(charge: C, as: (refused: Refusal) => Refusal = (refused) => refused): C {
  const { status, reason } = charge.attempt
  switch (status) {
    case 'DECLINED':
    case 'REVERSING':
    case 'REVERSED':
    case 'REVERSAL_REFUSED':
      throw as(cardErrors.declined(reason ?? 'Declined'))
    case 'SUPERSEDED':
      throw as(cardErrors.superseded())
    default:
      return charge
  }
}

/** Counts a try at the OTP before it is made, so that tries at once are counted too. */
async function takeForOtp(
  tx: Tx,
  at: Date,
  key: { readonly merchantId: bigint; readonly transactionReference: string; readonly tokenId: string },
): Promise<Charge & { readonly isTwin: boolean }> {
  const [transaction] = await lockTransactionsByReference(tx, [key])
  if (transaction === undefined) throw transactionErrors.unknown()
  const all = await selectAttempts(tx, [transaction])
  if (all.length === 0) throw cardErrors.noCardPayment()
  const attempt = all.find(({ reference }) => reference === key.tokenId)
  if (attempt === undefined) throw cardErrors.unknownTokenId()
  if (attempt.status === 'SECURE_3D_REQUIRED') throw cardErrors.notForOtp()
  if (attempt.status !== 'OTP_REQUIRED') return { attempt, transaction, isTwin: true }
  const closed = checkChargeable(transaction, at)
  if (closed !== undefined) throw closed
  const taken = after(attempt, 'tryOtp', {
    otpTries: attempt.otpTries + 1,
    askAt: secondsAfter(at, ASK_AFTER_SECONDS),
  })
  await updateAttempts(tx, [taken])
  return { attempt: taken, transaction, isTwin: false }
}
