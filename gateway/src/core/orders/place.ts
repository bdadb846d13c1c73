import { monotonic } from '../../kernel/clock.ts'
import type { Kobo } from '../../kernel/money.ts'
import { ZERO } from '../../kernel/money.ts'
import { sql } from '../../platform/postgres/sql.ts'
import type { UnitOfWork } from '../unit-of-work.ts'
import type { NewOrder, OrderKey, OrderRow } from './order.ts'
import type { PartnerChoice } from './partner-choice.ts'
import { insertOrders, leaseForCaller, releaseOrders, releaseToCaller, withdrawOrders } from './repository.ts'
import { firstQueryAt } from './schedule.ts'

/** Longer than a name enquiry and a send may take: after this time the lease holder is treated as dead. */
export const LEASE_SECONDS = 90

/** Places orders in the caller's transaction: they are sent if and only if it commits. */
export function placeOrders({ tx, wake }: UnitOfWork, placed: readonly OrderRow[]): void {
  insertOrders(tx, placed, LEASE_SECONDS)
  if (placed.some(({ state }) => state === 'WAITING')) wake('orders')
}

/** Builds orders and chooses their partners. */
export interface OrderMaker {
  readonly newOrder: (order: NewOrder, at: Date) => OrderRow
}

/**
 * Builds orders without choosing a partner. They already have one, belong to the sandbox history, or get one when
 * they are sent.
 */
export const unroutedOrders: OrderMaker = {
  newOrder: (order, at) =>
    newOrder(
      order,
      ({ slot, partner }) => ({ partner, routingVersion: null, slot }),
      () => true,
      at,
    ),
}

/** Builds an order to be placed. */
export function newOrder(
  order: NewOrder,
  choose: PartnerChoice['choose'],
  hasResponse: (slot: string) => boolean,
  at: Date,
): OrderRow {
  const { merchantId, id, purpose, subjectId, reference, amount, holds, sentBy, dueAt } = order
  const requested = { merchantId, purpose, reference, amount, slot: order.slot, partner: order.partner ?? null }
  const { partner, routingVersion, slot } = choose(requested)
  const isSent = sentBy === 'caller' || (sentBy === 'caller if responsive' && hasResponse(slot))
  return {
    merchantId,
    id,
    purpose,
    subjectId,
    reference,
    partner,
    routingVersion,
    slot,
    amount,
    account: holds?.account ?? null,
    held: holds?.amount ?? (ZERO as Kobo),
    state: isSent ? 'SENT' : sentBy === 'held' ? 'HELD' : 'WAITING',
    tries: isSent ? 1 : 0,
    unknownAnswers: 0,
    createdAt: at,
    dueAt: isSent ? firstQueryAt(at) : sentBy === 'held' ? null : (dueAt ?? at),
    taken: 0,
    leasedUntil: null,
    concludedAt: null,
    ...(isSent ? { leaseBegan: monotonic() } : {}),
  }
}

/** Releases held orders to the worker. */
export function release({ tx, at, wake }: UnitOfWork, merchantId: bigint, ids: readonly bigint[]): void {
  releaseOrders(tx, merchantId, ids, at)
  wake('orders')
}

/** Releases a held order to the caller, who gets its lease. */
export const releaseForCaller = ({ tx, at }: UnitOfWork, key: OrderKey): Promise<OrderRow | undefined> =>
  releaseToCaller(tx, key, firstQueryAt(at), LEASE_SECONDS)

/**
 * Leases a sent order for a caller that has to send or query more. Responses under an earlier lease are ignored.
 * Returns undefined if the order is closed.
 */
export const leaseOrder = ({ tx, at }: UnitOfWork, key: OrderKey): Promise<OrderRow | undefined> =>
  leaseForCaller(tx, key, firstQueryAt(at), LEASE_SECONDS)

/** Leases a sent order for a caller, unless another process holds its lease. */
export const leaseIdleOrder = ({ tx, at }: UnitOfWork, key: OrderKey): Promise<OrderRow | undefined> =>
  leaseForCaller(tx, key, firstQueryAt(at), LEASE_SECONDS, sql`and (leased_until is null or leased_until < now())`)

/** Closes held orders that are no longer needed. */
export const withdraw = ({ tx, at }: UnitOfWork, keys: readonly OrderKey[]): void => withdrawOrders(tx, keys, at)
