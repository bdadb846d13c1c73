import type { Kobo } from '../../kernel/money.ts'
import { column, type Row, table } from '../../platform/table.ts'

/** What orders are placed for. Each has a feature that concludes it. */
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

/** HELD waits for leave, WAITING to be sent; SENT and WATCHED are asked about; UNRESOLVED calls a person. */
export type OrderState = 'HELD' | 'WAITING' | 'SENT' | 'WATCHED' | 'UNRESOLVED' | 'CONCLUDED'

/** Everything that we ask of a partner: written before it is sent, sent once, asked about until known. */
export const orders = table('rail_order', ['merchantId', 'id'], {
  merchantId: column<bigint>(),
  id: column<bigint>(),
  purpose: column<OrderPurpose>(),
  /** The row of the feature that it is about. */
  subjectId: column<bigint>(),
  /** Ours: what the partner knows it by. */
  reference: column<string>(),
  /** Who carries it out: chosen before it is sent, and asked about it for ever. Null where it is from before that. */
  partner: column<string | null>(),
  /** By which version of the routing table; null where there was none, or no choice. */
  routingVersion: column<number | null>(),
  /** Orders of one slot share what may be under way at once: `transfer/058`, or `wema/transfer/058` where there are several partners. */
  slot: column<string>(),
  amount: column<Kobo>(),
  /** The account that holds its money while it is open; null where it takes none along. */
  account: column<string | null>(),
  held: column<Kobo>(),
  state: column<OrderState>(),
  /** How often it was sent, each time under another reference. */
  tries: column<number>(),
  /** How often in a row nobody knew what became of it. */
  unknownAnswers: column<number>(),
  createdAt: column<Date>(),
  dueAt: column<Date | null>(),
  /** How often somebody took it; whoever took it last may write down what came of it. */
  taken: column<number>(),
  leasedUntil: column<Date | null>(),
  concludedAt: column<Date | null>(),
})
export type OrderRow = Row<typeof orders>
export type OrderKey = Pick<OrderRow, 'merchantId' | 'id'>

/** What a feature says of an order that it places. */
export interface NewOrder
  extends Pick<OrderRow, 'merchantId' | 'id' | 'purpose' | 'subjectId' | 'reference' | 'slot' | 'amount'> {
  /** Who has to carry it out, where nobody else can: money goes back to a card where it was charged. */
  readonly partner?: string | null
  /** The account that holds its money, and how much, where it takes some along. */
  readonly holds?: { readonly account: string; readonly amount: Kobo } | undefined
  /**
   * Who sends it: `worker` as soon as it is due; `caller` at once, in the request that placed it, or only while its slot
   * answers, so that nobody is kept waiting; or nobody before it is released.
   */
  readonly sentBy: 'worker' | 'caller' | 'caller while answered' | 'nobody yet'
  /** When it falls due, where that is not now. */
  readonly dueAt?: Date
}

/** A partner's reference for a further try: what it never got, it gets under another one. */
export const referenceOfTry = (reference: string, tries: number): string =>
  tries === 1 ? reference : `${reference.replace(/~\d+$/, '')}~${tries}`
