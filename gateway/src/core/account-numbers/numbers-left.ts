import type { Db } from '../../platform/postgres/db.ts'
import { countNumbers } from './accounts.ts'
import { capacityOf, ofCell, restedBefore } from './mint.ts'
import { isPrefixSource, type PrefixSource, selectSources } from './sources.ts'

/** Counts the numbers of a prefix: all, those that cannot be assigned now, and those that are free again. */
export async function countPrefix(db: Db, source: PrefixSource, cell: string, at: Date) {
  const own = ofCell(source, cell)
  const counted = await countNumbers(db, source.bankCode, own.prefix, restedBefore(source, at))
  return { numbers: Number(capacityOf(own)), ...counted }
}

/** Counts the numbers that are left under each prefix in use. */
export async function countLeft(db: Db, cell: string, at: Date) {
  const counts: { readonly source: string; readonly numbers: number; readonly left: number }[] = []
  for (const source of (await selectSources(db)).filter(isPrefixSource)) {
    if (source.disabledAt !== null) continue
    const { numbers, used } = await countPrefix(db, source, cell, at)
    counts.push({ source: source.code, numbers, left: numbers - used })
  }
  return counts
}
