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
  readonly proposed: DecisionRow | undefined
}

/** The differences of one partner or all, oldest first. */
export async function findExceptions(db: Db, partner: string | null): Promise<readonly Exception[]> {
  const items = await selectExceptions(db, partner)
  const exceptions = new Map<bigint, Exception>()
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
        proposed: proposed.get(item.id),
      })
  }
  return items.flatMap(({ id }) => exceptions.get(id) ?? [])
}
