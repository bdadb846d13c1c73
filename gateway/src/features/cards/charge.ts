import type { Core } from '../../core/core.ts'
import type { Merchant } from '../../core/merchants/index.ts'
import type { Orders, OrdersOf } from '../../core/orders/index.ts'
import type { CardOnFile, Vault } from '../../core/security/vault.ts'
import { unitOfWork } from '../../core/unit-of-work.ts'
import { invariant, Refusal } from '../../kernel/errors.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import type { Log } from '../../platform/observability/log.ts'
import { isUniqueViolation } from '../../platform/postgres/db.ts'
import type { Card } from '../../rails/card.ts'
import { openTransaction, type Transaction, transactionErrors, transactionReads } from '../transactions/index.ts'
import { checkCard } from './card.ts'
import type { Charge, SentCharge } from './conclude.ts'
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

/** The tools to charge a card. */
export interface Charging extends CardDeps {
  /** Opens an attempt, or returns the one in progress. */
  readonly open: (request: NewCharge) => Promise<Opened>
  readonly charges: OrdersOf<SentCharge, Outcome>
}

/** Opens attempts in batches, nearly always without a lock. */
export function openCharges({ core, orders, metrics }: CardDeps): Charging['open'] {
  const openFirst = metrics.lane({
    name: 'card open first',
    blockedBy: ({ merchant }) => merchant.id,
    shardOf: ({ merchant }) => core.shards.of(merchant.id),
    run: (requests: readonly NewCharge[]): Promise<(Opened | undefined)[]> =>
      unitOfWork(core, (unit) => openFirstAttempts(orders, unit, requests)).catch((error: unknown) => {
        // Another process opened one of these attempts first, so PostgreSQL has rolled back the whole batch.
        if (isUniqueViolation(error)) return requests.map(() => undefined)
        throw error
      }),
  })
  const open = metrics.lane({
    name: 'card open',
    blockedBy: ({ merchant }) => merchant.id,
    shardOf: ({ merchant }) => core.shards.of(merchant.id),
    run: (requests: readonly NewCharge[]) => unitOfWork(core, (unit) => openAttempts(orders, unit, requests)),
  })
  return async (request) => (await openFirst(request)) ?? open(request)
}

/** A card that its holder entered, to charge for a transaction. */
export interface RequestedCharge extends Pick<NewCharge, 'transactionReference' | 'card' | 'channel' | 'consent'> {
  /** The payer's IP address; absent if the merchant's server calls. */
  readonly payerAddress?: string
}

/** Charges a card that its holder entered. */
export async function chargeCard(
  charging: Charging,
  merchant: Merchant,
  { transactionReference, card, channel, consent, payerAddress }: RequestedCharge,
): Promise<Charge> {
  const { core, vault, open, declines } = charging
  const bin = card.number.reveal().slice(0, BIN_LENGTH)
  const tried = { merchantId: merchant.id, bin, number: card.number, payerAddress }
  const error = checkCard(card, core.clock.now()) ?? declines.check(tried)
  if (error !== undefined) throw error
  const fingerprint = vault.fingerprint(merchant.id, card.number)
  const requested = { merchant, transactionReference, card, fingerprint, cardToken: null, channel, consent }
  const opened = await open(requested)
  if (opened.kind === 'under way') return opened
  const charge = await send(charging, merchant, opened, card, 'HOLDER')
  if (charge.attempt.status === 'DECLINED') await declines.count(tried)
  return orThrow(charge, onCharge)
}

/** Opens a transaction and charges a stored card for it. */
export async function chargeOnFile(
  charging: Charging,
  merchant: Merchant,
  transaction: Transaction,
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
    const [response] = await openAttempts(orders, unit, [request])
    if (response instanceof Refusal) throw response
    invariant(response?.kind === 'opened', 'a new transaction has no attempt in progress')
    return response
  })
  return withTransaction(core, orThrow(await send(charging, merchant, opened, card, 'MERCHANT')))
}

/** Sends an opened attempt to the network, and records the response. */
const send = (
  { charges, publicUrl }: Charging,
  merchant: Merchant,
  { transaction, attempt, order }: OpenedCharge,
  card: Card,
  initiator: 'HOLDER' | 'MERCHANT',
): Promise<Charge> =>
  charges.sendWith(order, { attempt, transaction, cardNumber: card.number }, (rails) =>
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

/** Returns an attempt with its transaction, which is read again. */
export async function withTransaction(
  { db }: Pick<Core, 'db'>,
  { attempt }: { readonly attempt: AttemptRow },
): Promise<Charge> {
  const transaction = await transactionReads.find(db, attempt.merchantId, { id: attempt.transactionId })
  invariant(transaction !== undefined, 'an attempt belongs to a transaction')
  return { attempt, transaction }
}

/** Returns the current state of a transaction's latest charge; throws its error if it failed. */
export async function latestCharge({ core }: CardDeps, transaction: Transaction): Promise<Charge | undefined> {
  const attempt = (await selectAttempts(core.db, [transaction])).at(-1)
  return attempt && orThrow({ attempt, transaction })
}

/** Finds the charge of a card, if one was made at the given time or later; throws its error if it failed. */
export async function chargedSince(
  { core, vault }: CardDeps,
  merchant: Merchant,
  { transactionReference, card }: Pick<NewCharge, 'transactionReference' | 'card'>,
  since: Date,
): Promise<Charge | undefined> {
  const transaction = await transactionReads.find(core.db, merchant.id, { transactionReference })
  if (transaction === undefined) return undefined
  const fingerprint = vault.fingerprint(merchant.id, card.number)
  const attempt = (await selectAttempts(core.db, [transaction])).findLast(
    (one) => one.fingerprint === fingerprint && one.openedAt >= since,
  )
  return attempt && orThrow({ attempt, transaction }, onCharge)
}

/** Returns a charge that succeeded or may still succeed; otherwise throws its error. */
export function orThrow<C extends Charge>(charge: C, as: (error: Refusal) => Refusal = (error) => error): C {
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
