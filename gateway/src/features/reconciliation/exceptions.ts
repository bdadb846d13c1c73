import { type OrderRow, selectWatched, selectWithoutOutcome } from '../../core/orders/index.ts'
import { lagosDay } from '../../kernel/dates.ts'
import { type Kobo, kobo } from '../../kernel/money.ts'
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
  /** Orders that may have caused it: of a debit those without an outcome, of a credit those that may still come back. */
  readonly orders: readonly string[]
  readonly proposed: DecisionRow | undefined
}

/** Finds the differences at one partner or all, oldest first. */
export async function findExceptions(db: Db, partner: string | null): Promise<readonly Exception[]> {
  const items = await selectExceptions(db, partner)
  const exceptions = new Map<bigint, Exception>()
  const amountsFor = (reason: ItemRow['reason']) =>
    items.filter((item) => item.reason === reason).map(({ difference }) => absolute(difference))
  const orders: Candidates = {
    UNKNOWN_DEBIT: await selectWithoutOutcome(db, amountsFor('UNKNOWN_DEBIT')),
    MISSING_NOTICE: await selectWatched(db, amountsFor('MISSING_NOTICE')),
  }
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
        orders: ordersBehind(item, orders),
        proposed: proposed.get(item.id),
      })
  }
  return items.flatMap(({ id }) => exceptions.get(id) ?? [])
}

const absolute = (amount: Kobo): Kobo => (amount < 0n ? kobo(-amount) : amount)

/** Orders whose money may have left, or come back: the ledger books that only with their outcome. */
type Candidates = Readonly<Partial<Record<NonNullable<ItemRow['reason']>, readonly OrderRow[]>>>

/** Returns the orders that may have caused a difference, by its reason. */
const ordersBehind = ({ reason, partner, difference, day }: ItemRow, candidates: Candidates): readonly string[] =>
  (reason === null ? [] : (candidates[reason] ?? []))
    .filter((order) => order.partner === partner && order.amount === absolute(difference))
    .filter(({ createdAt }) => lagosDay(createdAt) <= day)
    .map(({ reference }) => reference)
