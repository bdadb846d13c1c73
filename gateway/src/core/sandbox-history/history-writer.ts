import { invariant } from '../../kernel/errors.ts'
import { type IdSource, idSource, NODES_MAX } from '../../kernel/ids.ts'
import { chunksOf } from '../../platform/lanes/chunks.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import {
  type HistoryDelivery,
  type HistoryEvent,
  type OutgoingEvent,
  writeEventHistory,
} from '../messages/outbox/index.ts'
import { type DatedJournal, type Journal, postHistory } from '../money/ledger/index.ts'
import {
  type HistoryWallet,
  type WalletAct,
  type WalletEntryRow,
  writeHistoryLines,
} from '../money/wallet-balances/index.ts'
import { type OrderRow, orders } from '../orders/index.ts'

/**
 * Simulates a past period. Its events are collected in order and written at the end, each with its own time. It uses
 * the functions of the live features, so the ledger checks apply. Sandbox only.
 */
export interface Past {
  /** Moves time forward, never back. */
  readonly moveTo: (at: Date) => void
  /** The source of ids, and the time, for new rows. */
  readonly now: () => { readonly ids: IdSource; readonly at: Date }
  readonly book: (journal: Journal) => void
  readonly notify: (event: OutgoingEvent) => void
  /** Stores an order that is concluded at the simulated time. */
  readonly conclude: (order: OrderRow) => void
  /** Applies an act to the merchant's wallet; returns whether the balance was enough. */
  readonly spend: (act: WalletAct) => boolean
  readonly available: () => bigint
  readonly write: (tx: Tx) => void
}

export interface HistoryOptions {
  readonly from: Date
  readonly referencePrefix: string
  readonly wallet: HistoryWallet | undefined
  /** The simulated delivery attempts of an event. */
  readonly deliveriesOf: (event: OutgoingEvent, at: Date, id: () => bigint) => readonly HistoryDelivery[]
  /** Events since this time keep their texts. */
  readonly textsSince: Date
}

/** Node numbers are assigned from the lowest, so no real node has used the highest in the past. */
const HISTORY_NODE = NODES_MAX - 1
const PARTNER = 'simulated'
/** Rows per query. */
const CHUNK_MAX = 2_000

export function openHistoryWriter({ from, referencePrefix, wallet, deliveriesOf, textsSince }: HistoryOptions): Past {
  let at = from
  const node = { number: HISTORY_NODE, firstSecond: Math.floor(from.getTime() / 1_000) }
  const ids = idSource({ now: () => at }, referencePrefix, node)
  const journals: DatedJournal[] = []
  const events: HistoryEvent[] = []
  const concluded: OrderRow[] = []
  const lines: WalletEntryRow[] = []

  const book = (journal: Journal): void => void journals.push({ ...journal, id: ids.id(), postedAt: at })
  const notify = (event: OutgoingEvent): void => {
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
    notify,
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
      notify(taken.event)
      book(act.journal)
      return true
    },
    write: (tx) => {
      for (const chunk of chunksOf(concluded, CHUNK_MAX)) orders.insert(tx, chunk)
      writeHistoryLines(tx, lines)
      writeEventHistory(tx, events)
      postHistory(tx, journals)
    },
  }
}
