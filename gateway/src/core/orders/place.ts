import type { Kobo } from '../../kernel/money.ts'
import { ZERO } from '../../kernel/money.ts'
import { sql } from '../../platform/sql.ts'
import type { UnitOfWork } from '../unit-of-work.ts'
import type { NewOrder, OrderKey, OrderRow } from './order.ts'
import { insertOrders, releaseOrders, releaseToCaller, takeForCaller, withdrawOrders } from './repository.ts'
import { firstQuestionAt } from './schedule.ts'
import type { Ways } from './ways.ts'

/** Longer than a partner may take to be asked for a name and to answer: when it has passed, whoever had it is dead. */
export const LEASE_SECONDS = 90

/** Places orders in the caller's transaction: they are sent if, and only if, that commits. */
export function placeOrders({ tx, wake }: UnitOfWork, placed: readonly OrderRow[]): void {
  insertOrders(tx, placed, LEASE_SECONDS)
  if (placed.some(({ state }) => state === 'WAITING')) wake('orders')
}

/** Makes orders to be placed, each with the partner who is to carry it out. */
export interface OrderMaker {
  readonly newOrder: (order: NewOrder, at: Date) => OrderRow
}

/** Orders for which nobody chooses: they name who is to carry them out, or are of the past. */
export const unroutedOrders: OrderMaker = {
  newOrder: (order, at) =>
    newOrder(
      order,
      ({ slot, partner }) => ({ partner, routingVersion: null, slot }),
      () => true,
      at,
    ),
}

/** An order as it is to be placed. */
export function newOrder(
  order: NewOrder,
  choose: Ways['choose'],
  isAnswered: (slot: string) => boolean,
  at: Date,
): OrderRow {
  const { merchantId, id, purpose, subjectId, reference, amount, holds, sentBy, dueAt } = order
  const asked = { merchantId, purpose, reference, amount, slot: order.slot, partner: order.partner ?? null }
  const { partner, routingVersion, slot } = choose(asked)
  const isSent = sentBy === 'caller' || (sentBy === 'caller while answered' && isAnswered(slot))
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
    state: isSent ? 'SENT' : sentBy === 'nobody yet' ? 'HELD' : 'WAITING',
    tries: isSent ? 1 : 0,
    unknownAnswers: 0,
    createdAt: at,
    dueAt: isSent ? firstQuestionAt(at) : sentBy === 'nobody yet' ? null : (dueAt ?? at),
    taken: 0,
    leasedUntil: null,
    concludedAt: null,
  }
}

/** Lets orders that were held be sent, by the worker. */
export function release({ tx, at, wake }: UnitOfWork, merchantId: bigint, ids: readonly bigint[]): void {
  releaseOrders(tx, merchantId, ids, at)
  wake('orders')
}

/** Lets an order that was held be sent by the caller, who then holds it. */
export const releaseForCaller = ({ tx, at }: UnitOfWork, key: OrderKey): Promise<OrderRow | undefined> =>
  releaseToCaller(tx, key, firstQuestionAt(at), LEASE_SECONDS)

/**
 * Takes an order that was sent, for a caller who has more to say or to ask of it: what somebody else may hear of it
 * meanwhile is not written down with the order. Undefined where nothing is to come of it any more.
 */
export const takeOrder = ({ tx, at }: UnitOfWork, key: OrderKey): Promise<OrderRow | undefined> =>
  takeForCaller(tx, key, firstQuestionAt(at), LEASE_SECONDS)

/** The same, unless somebody is at it right now: then what that one hears is to be waited for. */
export const takeIdleOrder = ({ tx, at }: UnitOfWork, key: OrderKey): Promise<OrderRow | undefined> =>
  takeForCaller(tx, key, firstQuestionAt(at), LEASE_SECONDS, sql`and (leased_until is null or leased_until < now())`)

/** Ends orders that were held and are not to be sent any more. */
export const withdraw = ({ tx, at }: UnitOfWork, keys: readonly OrderKey[]): void => withdrawOrders(tx, keys, at)
