import type { Core } from '../../core/core.ts'
import type { Merchant } from '../../core/merchants/index.ts'
import { type OrderRow, type OrdersOf, takeOrder } from '../../core/orders/index.ts'
import type { CardOnFile, Vault } from '../../core/security/vault.ts'
import { type UnitOfWork, unitOfWork } from '../../core/unit-of-work.ts'
import { invariant, Refusal } from '../../kernel/errors.ts'
import type { Hidden } from '../../kernel/hidden.ts'
import { isTaken } from '../../platform/db.ts'
import type { Metrics } from '../../platform/metrics.ts'
import type { Card, CardRail } from '../../rails/card.ts'
import {
  findTransaction,
  lockTransactionsByReference,
  openTransaction,
  type TransactionRow,
  transactionErrors,
} from '../transactions/index.ts'
import { checkCard } from './card.ts'
import type { AskedCharge, Charge } from './conclude.ts'
import { cardErrors, onCharge } from './errors.ts'
import { isUnderWay } from './machine.ts'
import { type ChargeWish, chargeOrder, checkChargeable, type Opened, openAttempts, openFirstAttempts } from './open.ts'
import { after, type Outcome, WRONG_OTPS_MAX } from './outcome.ts'
import { type AttemptRow, findChallenged, selectAttempts, updateAttempts } from './repository.ts'

export interface CardDeps {
  readonly core: Core
  /** Charges as orders to the network. */
  readonly charges: OrdersOf<AskedCharge, Outcome>
  readonly metrics: Metrics
  readonly vault: Vault
  readonly rails: { readonly card: CardRail }
  readonly publicUrl: () => string
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
}

export function openCards(deps: CardDeps): Cards {
  const { core, charges, vault, rails, publicUrl } = deps
  const { db, clock } = core
  const open = openCharges(deps)

  /** Sends an attempt that was opened to the network, and writes down its answer. */
  const send = (
    merchant: Merchant,
    { transaction, attempt }: Opened,
    card: Card,
    initiator: 'HOLDER' | 'MERCHANT',
  ): Promise<Charge> =>
    charges.say(chargeOrder(attempt), { attempt, transaction, cardNumber: card.number }, () =>
      rails.card.charge({
        reference: attempt.reference,
        amount: attempt.amount,
        currencyCode: transaction.currencyCode,
        card,
        initiator,
        merchantName: merchant.name,
        returnUrl: `${publicUrl()}/3ds/${attempt.reference}`,
      }),
    )

  /** Asks the network about a charge now, unless nothing more is to come of it. */
  async function ask(charge: Charge): Promise<Charge> {
    const { attempt, transaction } = charge
    const order = await unitOfWork(core, (unit) => takeOrder(unit, orderOf(attempt)))
    if (order !== undefined) return charges.ask(order, { attempt, transaction, cardNumber: null })
    const present = (await selectAttempts(db, [transaction])).find(({ number }) => number === attempt.number)
    return { attempt: present ?? attempt, transaction }
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
      const opened = await open({
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
      const taken = await unitOfWork(core, (unit) =>
        takeForOtp(unit, { merchantId: merchant.id, transactionReference, tokenId }),
      )
      const { attempt, transaction, order } = taken
      if (order === undefined) return present(orRefuse(taken))
      let isWrong = false
      const charge = await charges.say(order, { attempt, transaction, cardNumber: null }, async () => {
        const said = await rails.card.authorizeOtp({ reference: attempt.reference, otp })
        isWrong = said.kind === 'wrong otp'
        return said
      })
      if (isWrong && charge.attempt.status === 'OTP_REQUIRED')
        throw cardErrors.wrongOtp(WRONG_OTPS_MAX - charge.attempt.otpTries)
      return present(orRefuse(charge))
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
      const charge = await ask({ attempt, transaction })
      const closed = charge.attempt.status === 'SECURE_3D_REQUIRED' && checkChargeable(transaction, clock.now())
      if (closed) throw closed
      return present(orRefuse(charge))
    },

    isUnderWay: async (transaction) =>
      (await selectAttempts(db, [transaction])).some(({ status }) => isUnderWay(status)),

    chargeOnFile: async (merchant, transaction, onFile) => {
      const { fingerprint, token: cardToken, number, expiryMonth, expiryYear } = onFile
      const card: Card = { number, expiryMonth, expiryYear, cvv: null, pin: null }
      const { transactionReference } = transaction
      const opened = await unitOfWork(core, async (unit) => {
        if (!(await openTransaction(unit, transaction))) throw transactionErrors.duplicateReference()
        const wish = {
          merchant,
          transactionReference,
          card,
          fingerprint,
          cardToken,
          channel: 'API_NOTIFICATION',
        } as const
        const [answer] = await openAttempts(unit, [wish])
        if (answer instanceof Refusal) throw answer
        invariant(answer !== undefined, 'each wish has its answer')
        return answer
      })
      return present(orRefuse(await send(merchant, opened, card, 'MERCHANT')))
    },

    challenged: async (reference) => {
      const attempt = await findChallenged(db, reference)
      if (attempt === undefined) return undefined
      const charge = await present(await ask(await present({ attempt })))
      const isOpen = checkChargeable(charge.transaction, clock.now()) === undefined
      return { ...charge, isAsked: isOpen && charge.attempt.status === 'SECURE_3D_REQUIRED' }
    },
  }
}

/** Opens attempts in sets: without a lock where that can be told, which is nearly always. */
function openCharges({ core, metrics }: CardDeps): (wish: ChargeWish) => Promise<Opened> {
  const openFirst = metrics.lane({
    name: 'card open first',
    run: (wishes: readonly ChargeWish[]): Promise<(Opened | undefined)[]> =>
      unitOfWork(core, (unit) => openFirstAttempts(unit, wishes)).catch((error: unknown) => {
        // Someone was quicker with one of them, and PostgreSQL has undone all.
        if (isTaken(error)) return wishes.map(() => undefined)
        throw error
      }),
  })
  const open = metrics.lane({
    name: 'card open',
    run: (wishes: readonly ChargeWish[]) => unitOfWork(core, (unit) => openAttempts(unit, wishes)),
  })
  return async (wish) => (await openFirst(wish)) ?? open(wish)
}

const orderOf = ({ merchantId, orderId }: AttemptRow) => ({ merchantId, id: orderId })

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

/** Counts a try at the OTP before it is made, so that tries at once are counted too. Without an order where none is to be made. */
async function takeForOtp(
  unit: UnitOfWork,
  key: { readonly merchantId: bigint; readonly transactionReference: string; readonly tokenId: string },
): Promise<Charge & { readonly order?: OrderRow | undefined }> {
  const { tx, at } = unit
  const [transaction] = await lockTransactionsByReference(tx, [key])
  if (transaction === undefined) throw transactionErrors.unknown()
  const all = await selectAttempts(tx, [transaction])
  if (all.length === 0) throw cardErrors.noCardPayment()
  const attempt = all.find(({ reference }) => reference === key.tokenId)
  if (attempt === undefined) throw cardErrors.unknownTokenId()
  if (attempt.status === 'SECURE_3D_REQUIRED') throw cardErrors.notForOtp()
  if (attempt.status !== 'OTP_REQUIRED') return { attempt, transaction }
  const closed = checkChargeable(transaction, at)
  if (closed !== undefined) throw closed
  const tried = after(attempt, 'tryOtp', { otpTries: attempt.otpTries + 1 })
  updateAttempts(tx, [tried])
  const order = await takeOrder(unit, orderOf(tried))
  invariant(order !== undefined, 'an attempt that waits for its holder has an order that is not concluded')
  return { attempt: tried, transaction, order }
}
