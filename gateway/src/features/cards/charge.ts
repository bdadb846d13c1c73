import type { Core } from '../../core/core.ts'
import type { Merchant } from '../../core/merchants/index.ts'
import type { Orders, OrdersOf } from '../../core/orders/index.ts'
import type { CardOnFile, Vault } from '../../core/security/vault.ts'
import { unitOfWork } from '../../core/unit-of-work.ts'
import { invariant, Refusal } from '../../kernel/errors.ts'
import { isTaken } from '../../platform/db.ts'
import type { Log } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import type { Card } from '../../rails/card.ts'
import { findTransaction, openTransaction, type TransactionRow, transactionErrors } from '../transactions/index.ts'
import { checkCard } from './card.ts'
import type { AskedCharge, Charge } from './conclude.ts'
import type { DeclineGuard } from './declines.ts'
import { cardErrors, onCharge } from './errors.ts'
import { BIN_LENGTH } from './issuers.ts'
import { type NewCharge, type Opened, type OpenedCharge, openAttempts, openFirstAttempts } from './open.ts'
import type { Outcome } from './outcome.ts'
import { type AttemptRow, selectAttempts } from './repository.ts'

export interface CardDeps {
  readonly core: Core
  readonly orders: Orders
  readonly metrics: Metrics
  readonly vault: Vault
  readonly log: Log
  readonly declines: DeclineGuard
  readonly publicUrl: () => string
}

/** What it takes to charge a card. */
export interface Charging extends CardDeps {
  /** Opens an attempt, or answers the one that is under way already. */
  readonly open: (request: NewCharge) => Promise<Opened>
  readonly charges: OrdersOf<AskedCharge, Outcome>
}

/** Opens attempts in sets: without a lock where that can be told, which is nearly always. */
export function openCharges({ core, orders, metrics }: CardDeps): Charging['open'] {
  const openFirst = metrics.lane({
    name: 'card open first',
    apartBy: ({ merchant }) => merchant.id,
    shardOf: ({ merchant }) => core.shards.of(merchant.id),
    run: (requests: readonly NewCharge[]): Promise<(Opened | undefined)[]> =>
      unitOfWork(core, (unit) => openFirstAttempts(orders, unit, requests)).catch((error: unknown) => {
        // Someone was quicker with one of them, and PostgreSQL has undone all.
        if (isTaken(error)) return requests.map(() => undefined)
        throw error
      }),
  })
  const open = metrics.lane({
    name: 'card open',
    apartBy: ({ merchant }) => merchant.id,
    shardOf: ({ merchant }) => core.shards.of(merchant.id),
    run: (requests: readonly NewCharge[]) => unitOfWork(core, (unit) => openAttempts(orders, unit, requests)),
  })
  return async (request) => (await openFirst(request)) ?? open(request)
}

/** A card that its holder gives, to be charged for a transaction. */
export interface WantedCharge extends Pick<NewCharge, 'transactionReference' | 'card' | 'channel' | 'consent'> {
  /** Where the payer is; left out where the merchant's server calls. */
  readonly payerAddress?: string
}

/** Charges a card that its holder gives. */
export async function chargeCard(
  charging: Charging,
  merchant: Merchant,
  { transactionReference, card, channel, consent, payerAddress }: WantedCharge,
): Promise<Charge> {
  const { core, vault, open, declines } = charging
  const bin = card.number.reveal().slice(0, BIN_LENGTH)
  const tried = { merchantId: merchant.id, bin, number: card.number, payerAddress }
  const refused = checkCard(card, core.clock.now()) ?? declines.check(tried)
  if (refused !== undefined) throw refused
  const fingerprint = vault.fingerprint(merchant.id, card.number)
  const wanted = { merchant, transactionReference, card, fingerprint, cardToken: null, channel, consent }
  const opened = await open(wanted)
  if (opened.kind === 'under way') return opened
  const charge = await send(charging, merchant, opened, card, 'HOLDER')
  if (charge.attempt.status === 'DECLINED') await declines.count(tried)
  return orRefuse(charge, onCharge)
}

/** Opens a transaction and charges a card on file for it. */
export async function chargeOnFile(
  charging: Charging,
  merchant: Merchant,
  transaction: TransactionRow,
  { fingerprint, token: cardToken, number, expiryMonth, expiryYear }: CardOnFile,
): Promise<Charge> {
  const { core, orders } = charging
  const { transactionReference } = transaction
  const card: Card = { number, expiryMonth, expiryYear, cvv: null, pin: null }
  const opened = await unitOfWork(core, async (unit) => {
    if (!(await openTransaction(unit, transaction))) throw transactionErrors.duplicateReference()
    const channel = 'API_NOTIFICATION'
    const consent = 'on-file'
    const request = { merchant, transactionReference, card, fingerprint, cardToken, channel, consent } as const
    const [answer] = await openAttempts(orders, unit, [request])
    if (answer instanceof Refusal) throw answer
    invariant(answer?.kind === 'opened', 'nothing is under way for a transaction that is new')
    return answer
  })
  return present(core, orRefuse(await send(charging, merchant, opened, card, 'MERCHANT')))
}

/** Sends an attempt that was opened to the network, and writes down its answer. */
const send = (
  { charges, publicUrl }: Charging,
  merchant: Merchant,
  { transaction, attempt, order }: OpenedCharge,
  card: Card,
  initiator: 'HOLDER' | 'MERCHANT',
): Promise<Charge> =>
  charges.say(order, { attempt, transaction, cardNumber: card.number }, (rails) =>
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

/** An attempt with its transaction as it is now. */
export async function present(
  { db }: Pick<Core, 'db'>,
  { attempt }: { readonly attempt: AttemptRow },
): Promise<Charge> {
  const transaction = await findTransaction(db, attempt.merchantId, { id: attempt.transactionId })
  invariant(transaction !== undefined, 'an attempt belongs to a transaction')
  return { attempt, transaction }
}

/** The latest charge of a transaction as it stands now; throws why where it came to nothing. */
export async function latestCharge({ core }: CardDeps, transaction: TransactionRow): Promise<Charge | undefined> {
  const attempt = (await selectAttempts(core.db, [transaction])).at(-1)
  return attempt && orRefuse({ attempt, transaction })
}

/** The charge of a card that was made at that time or later, as it stands now; throws why where it came to nothing. */
export async function chargedSince(
  { core, vault }: CardDeps,
  merchant: Merchant,
  { transactionReference, card }: Pick<NewCharge, 'transactionReference' | 'card'>,
  since: Date,
): Promise<Charge | undefined> {
  const transaction = await findTransaction(core.db, merchant.id, { transactionReference })
  if (transaction === undefined) return undefined
  const fingerprint = vault.fingerprint(merchant.id, card.number)
  const attempt = (await selectAttempts(core.db, [transaction])).findLast(
    (one) => one.fingerprint === fingerprint && one.openedAt >= since,
  )
  return attempt && orRefuse({ attempt, transaction }, onCharge)
}

/** Answers a charge that came to something, or may still; throws why not. */
export function orRefuse<C extends Charge>(charge: C, as: (refused: Refusal) => Refusal = (refused) => refused): C {
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
