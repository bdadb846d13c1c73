import { type OrderRow, selectWithoutOutcome } from '../../core/orders/index.ts'
import { lagosDay } from '../../kernel/dates.ts'
import { kobo } from '../../kernel/money.ts'
import type { Db } from '../../platform/postgres/db.ts'
import { type DecisionRow, selectDecisions } from './decision-repository.ts'
import { type EntryRow, selectEntriesOf } from './entry-repository.ts'
import { type ItemRow, selectExceptions } from './item-repository.ts'
import { type LineRow, selectLinesOf } from './statement-repository.ts'

/** A difference between a bank and the ledger, with its parts and the proposal about it. */
export interface Exception {
  readonly item: ItemRow
  readonly lines: readonly LineRow[]
  readonly entries: readonly EntryRow[]
  /** The references of orders without an outcome that may have caused a debit. */
  readonly orders: readonly string[]
  readonly proposed: DecisionRow | undefined
}

/** Finds the differences at one partner or all, oldest first. */
export async function findExceptions(db: Db, partner: string | null): Promise<readonly Exception[]> {
  const items = await selectExceptions(db, partner)
  const exceptions = new Map<bigint, Exception>()
  const debits = items.filter(isUnknownDebit)
  const pending = await selectWithoutOutcome(
    db,
    debits.map(({ difference }) => kobo(-difference)),
  )
  for (const [of, some] of Map.groupBy(items, (item) => item.partner)) {
    const ids = some.map(({ id }) => id)
    const lines = Map.groupBy(await selectLinesOf(db, of, ids), ({ itemId }) => itemId)
    const entries = Map.groupBy(await selectEntriesOf(db, of, ids), ({ itemId }) => itemId)
    const decisions = (await selectDecisions(db, of, ids)).filter(({ state }) => state === 'PROPOSED')
    const proposed = new Map(decisions.map((decision) => [decision.itemId, decision]))
    for (const item of some)
      exceptions.set(item.id, {
        item,
        lines: lines.get(item.id) ?? [],
        entries: entries.get(item.id) ?? [],
        orders: ordersBehind(item, pending),
        proposed: proposed.get(item.id),
      })
  }
  return items.flatMap(({ id }) => exceptions.get(id) ?? [])
}

const isUnknownDebit = ({ reason }: ItemRow): boolean => reason === 'UNKNOWN_DEBIT'

/**
 * Returns the orders that may have caused an unknown debit: their money may have left, but the ledger posts it only
 * once the outcome is known.
 */
const ordersBehind = (item: ItemRow, pending: readonly OrderRow[]): readonly string[] =>
  isUnknownDebit(item)
    ? pending
        .filter(({ partner, amount }) => partner === item.partner && amount === -item.difference)
        .filter(({ createdAt }) => lagosDay(createdAt) <= item.day)
        .map(({ reference }) => reference)
    : []
