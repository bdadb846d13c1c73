import { invariant } from '../../kernel/errors.ts'
import { type IdSource, idSource, NODES_MAX } from '../../kernel/ids.ts'
import type { Tx } from '../../platform/db.ts'
import { setsOf } from '../../platform/sets.ts'
import { type OutgoingEvent, type PastDelivery, type PastEvent, tellPast } from '../messages/outbox/index.ts'
import { type DatedJournal, type Journal, postPast } from '../money/ledger/index.ts'
import { type PastWallet, type WalletAct, type WalletEntryRow, writePastLines } from '../money/wallet-balances/index.ts'
import { type OrderRow, orders } from '../orders/index.ts'

/**
 * A stretch of the past, lived through once more: what happens in it is gathered in its order and written at the end, each
 * under its own moment. Made by the functions that make it in the present, so the books cannot tell the two apart. For the
 * sandbox's histories alone.
 */
export interface Past {
  /** Lets time pass; it never runs backwards. */
  readonly moveTo: (at: Date) => void
  /** What new rows are made with at the present moment. */
  readonly now: () => { readonly ids: IdSource; readonly at: Date }
  readonly book: (journal: Journal) => void
  readonly tell: (event: OutgoingEvent) => void
  /** Writes down an order that came to its end just now. */
  readonly conclude: (order: OrderRow) => void
  /** Takes an act of the merchant's wallet; answers whether there was enough. */
  readonly spend: (act: WalletAct) => boolean
  /** What the merchant's wallet holds. */
  readonly available: () => bigint
  readonly write: (tx: Tx) => void
}

export interface PastOptions {
  readonly from: Date
  readonly referencePrefix: string
  readonly wallet: PastWallet | undefined
  /** The tries to deliver an event that was made at a moment. */
  readonly deliveriesOf: (event: OutgoingEvent, at: Date, id: () => bigint) => readonly PastDelivery[]
  /** From when on the texts of events are still kept. */
  readonly textsSince: Date
}

/** Numbers are given out from the lowest: whoever lived then did not have the last one. */
const NODE_OF_THE_PAST = NODES_MAX - 1
const PARTNER = 'simulated'
/** So many rows go into one statement. */
const SET_MAX = 2_000

export function openPast({ from, referencePrefix, wallet, deliveriesOf, textsSince }: PastOptions): Past {
  let at = from
  const node = { number: NODE_OF_THE_PAST, firstSecond: Math.floor(from.getTime() / 1_000) }
  const ids = idSource({ now: () => at }, referencePrefix, node)
  const journals: DatedJournal[] = []
  const events: PastEvent[] = []
  const concluded: OrderRow[] = []
  const lines: WalletEntryRow[] = []

  const book = (journal: Journal): void => void journals.push({ ...journal, id: ids.id(), postedAt: at })
  const tell = (event: OutgoingEvent): void => {
    const deliveries = deliveriesOf(event, at, ids.id)
    events.push({ event, id: ids.id(), at, deliveries, keepsText: at >= textsSince })
  }
  return {
    moveTo: (moment) => {
      invariant(moment >= at, 'time does not run backwards')
      at = moment
    },
    now: () => ({ ids, at }),
    book,
    tell,
    conclude: (order) => {
      concluded.push({
        ...order,
        partner: PARTNER,
        state: 'CONCLUDED',
        tries: 1,
        taken: 1,
        dueAt: null,
        concludedAt: at,
      })
    },
    available: () => wallet?.available() ?? 0n,
    spend: (act) => {
      const taken = wallet?.take(act, ids.id(), at)
      if (taken === undefined) return false
      lines.push(taken.line)
      tell(taken.event)
      book(act.journal)
      return true
    },
    write: (tx) => {
      for (const set of setsOf(concluded, SET_MAX)) orders.insert(tx, set)
      writePastLines(tx, lines)
      tellPast(tx, events)
      postPast(tx, journals)
    },
  }
}
