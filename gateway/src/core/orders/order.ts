import { invariant } from '../../kernel/errors.ts'
import type { Kobo } from '../../kernel/money.ts'
import { column, type Row, table } from '../../platform/postgres/table.ts'

/** Why orders are placed. Each purpose is handled by one feature. */
export const ORDER_PURPOSES = [
  'transfer',
  'settlement-payout',
  'refund',
  'card-charge',
  'card-reversal',
  'debit',
  'vend',
  'return',
  'account-open',
  'account-close',
  'account-rename',
] as const
export type OrderPurpose = (typeof ORDER_PURPOSES)[number]

/** HELD waits for its release, WAITING waits to be sent, SENT and WATCHED are queried, UNRESOLVED needs a decision. */
export type OrderState = 'HELD' | 'WAITING' | 'SENT' | 'WATCHED' | 'UNRESOLVED' | 'CONCLUDED'

/**
 * Orders: requests to partners. Each is stored before it is sent, sent once, and queried until its outcome is known.
 */
export const orders = table('rail_order', ['merchantId', 'id'], {
  merchantId: column<bigint>('bigint'),
  id: column<bigint>('bigint'),
  purpose: column<OrderPurpose>('text'),
  /** The id of the feature's row that the order is about. */
  subjectId: column<bigint>('bigint'),
  /** Our reference, by which the partner knows the order. */
  reference: column<string>('text'),
  /** The partner, which is chosen before sending and queried from then on. Null for orders from before routing. */
  partner: column<string | null>('text'),
  /** The version of the routing table that chose the partner; null if there was no table or no choice. */
  routingVersion: column<number | null>('integer'),
  /** Orders of one slot share a limit: `transfer/058`, or `wema/transfer/058` with several partners. */
  slot: column<string>('text'),
  amount: column<Kobo>('bigint'),
  /** The account that holds the order's money while it is open; null if it holds none. */
  account: column<string | null>('text'),
  held: column<Kobo>('bigint'),
  state: column<OrderState>('text'),
  /** How often the order was sent, each time under another reference. */
  tries: column<number>('smallint'),
  /** Consecutive queries without a known outcome. */
  unknownAnswers: column<number>('integer'),
  createdAt: column<Date>('timestamptz'),
  dueAt: column<Date | null>('timestamptz'),
  /** How often the order was leased; only the last lease holder may record the outcome. */
  taken: column<number>('integer'),
  leasedUntil: column<Date | null>('timestamptz'),
  concludedAt: column<Date | null>('timestamptz'),
})
export interface OrderRow extends Row<typeof orders> {
  /** When this process took the lease, by its monotonic clock; unknown for rows that were only read. */
  readonly leaseBegan?: number
}
export type OrderKey = Pick<OrderRow, 'merchantId' | 'id'>

/** A new order, as a feature places it. */
export interface NewOrder
  extends Pick<OrderRow, 'merchantId' | 'id' | 'purpose' | 'subjectId' | 'reference' | 'slot' | 'amount'> {
  /** The partner, if only one can handle the order: a card refund goes to the partner that charged the card. */
  readonly partner?: string | null
  /** The account that holds the order's money, and the amount, if it holds any. */
  readonly holds?: { readonly account: string; readonly amount: Kobo } | undefined
  /**
   * `worker`: sent in the background when due. `caller`: sent at once by the request that placed it. `held`: not sent
   * until released. `caller if responsive`: like `caller`, but like `worker` while the slot is paused.
   */
  readonly sentBy: 'worker' | 'caller' | 'caller if responsive' | 'held'
  readonly dueAt?: Date
}

/** Returns the reference for an attempt: an order that never arrived is resent under a new reference. */
export const referenceOfAttempt = (reference: string, tries: number): string =>
  tries === 1 ? reference : `${reference.replace(/~\d+$/, '')}~${tries}`

/** Returns the subjects of orders, in the same sequence as the orders. Each order has one. */
export function subjectsById<Subject>(
  placed: readonly Pick<OrderRow, 'subjectId'>[],
  subjects: readonly Subject[],
  idOf: (subject: Subject) => bigint,
): readonly Subject[] {
  const byId = new Map(subjects.map((subject) => [idOf(subject), subject]))
  return placed.map(({ subjectId }) => {
    const subject = byId.get(subjectId)
    invariant(subject !== undefined, 'every order has a subject')
    return subject
  })
}
