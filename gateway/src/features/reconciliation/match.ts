import { StatementError } from '../../core/money/statements/index.ts'
import type { UnitOfWork } from '../../core/unit-of-work.ts'
import { lastClosed } from './day-repository.ts'
import { endProposals } from './decision-repository.ts'
import { assignEntries, type EntryRow, selectLooseEntries, selectTakenEntries } from './entry-repository.ts'
import { gather } from './gather.ts'
import { type ItemRow, insertItems, removeItems, selectUnsettled, updateItems } from './item-repository.ts'
import { differenceOf, type Group, match } from './matching.ts'
import {
  assignLines,
  type LineRow,
  lockAccount,
  type StatementAccount,
  selectBalances,
  selectLooseLines,
  selectTakenLines,
} from './statement-repository.ts'

/** What a look at a partner's lines and entries came to. */
export interface Matched {
  readonly partner: string
  /** Lines and entries that were looked at. */
  readonly lines: number
  readonly entries: number
  /** Groups of them that were found to say the same. */
  readonly matched: number
  /** For how many a person is called. */
  readonly exceptions: number
}

/** So many days back a line or an entry may be the double of one that belongs to something already. */
const DOUBLE_DAYS_MAX = 7

/** Holds what a partner has told against what was booked there, as far as either is not settled yet. */
export async function matchPartner(unit: UnitOfWork, partner: string): Promise<Matched> {
  const account = await lockAccount(unit.tx, partner)
  if (account === undefined) throw new StatementError(`No account at ${partner} is known; see kobo statement account.`)
  const closed = (await lastClosed(unit.tx, partner)) ?? account.beganOn - 1
  await gather(unit, account, closed)
  return matchLoose(unit, account)
}

async function matchLoose(unit: UnitOfWork, { partner, beganOn }: StatementAccount): Promise<Matched> {
  const { tx } = unit
  const [lines, entries] = [await selectLooseLines(tx, partner), await selectLooseEntries(tx, partner)]
  const days = [...lines, ...entries].map(({ day }) => day)
  const since = days.reduce((first, day) => Math.min(first, day), Number.MAX_SAFE_INTEGER) - DOUBLE_DAYS_MAX
  const from = days.length === 0 ? 0 : Math.max(0, since)
  const groups = match({
    lines,
    entries,
    toldUpTo: (await selectBalances(tx, partner)).at(-1)?.day ?? beganOn - 1,
    takenLines: days.length === 0 ? [] : await selectTakenLines(tx, partner, from),
    takenEntries: days.length === 0 ? [] : await selectTakenEntries(tx, partner, from),
  })
  const before = new Map((await selectUnsettled(tx, partner)).map((item) => [item.id, item]))
  writeGroups(unit, partner, groups, before)
  const matched = groups.filter((group) => group.reason === null).length
  return { partner, lines: lines.length, entries: entries.length, matched, exceptions: groups.length - matched }
}

/** Writes down what belongs together. What was known before under an id keeps it, and what a person said of it while it is the same. */
function writeGroups(
  unit: UnitOfWork,
  partner: string,
  groups: readonly Group<LineRow, EntryRow>[],
  before: ReadonlyMap<bigint, ItemRow>,
): void {
  const left = new Set(before.keys())
  const [fresh, changed, moot]: [ItemRow[], ItemRow[], bigint[]] = [[], [], []]
  const lines: LineRow[] = []
  const entries: EntryRow[] = []
  for (const group of groups) {
    const known = [...new Set([...group.lines, ...group.entries].flatMap(({ itemId }) => itemId ?? []))].sort(ascending)
    const old = known.map((id) => before.get(id)).find((one) => one !== undefined && left.has(one.id))
    const item = itemOf(partner, old?.id ?? unit.ids.id(), group, old)
    if (old === undefined) fresh.push(item)
    else {
      left.delete(old.id)
      if (!isSame(old, item)) changed.push(item)
      if (old.difference !== item.difference) moot.push(old.id)
    }
    for (const line of group.lines) if (line.itemId !== item.id) lines.push({ ...line, itemId: item.id })
    for (const entry of group.entries) if (entry.itemId !== item.id) entries.push({ ...entry, itemId: item.id })
  }
  insertItems(unit.tx, fresh)
  updateItems(unit.tx, changed)
  assignLines(unit.tx, lines)
  assignEntries(unit.tx, entries)
  endProposals(unit.tx, partner, [...moot, ...left])
  removeItems(unit.tx, partner, [...left])
}

const ascending = (a: bigint, b: bigint): number => (a < b ? -1 : 1)

const isSame = (one: ItemRow, other: ItemRow): boolean =>
  (['state', 'matchedBy', 'reason', 'day', 'settledOn', 'difference', 'note'] as const).every(
    (key) => one[key] === other[key],
  )

function itemOf(partner: string, id: bigint, group: Group<LineRow, EntryRow>, old: ItemRow | undefined): ItemRow {
  const { matchedBy, reason } = group
  const days = [...group.lines, ...group.entries].map(({ day }) => day)
  const difference = differenceOf(group)
  const day = Math.min(...days)
  if (reason === null)
    return {
      partner,
      id,
      state: 'MATCHED',
      matchedBy,
      reason: null,
      day,
      settledOn: Math.max(...days),
      difference,
      note: null,
    }
  const isAsItWas = old !== undefined && old.difference === difference && old.reason === reason
  const state = isAsItWas ? old.state : 'OPEN'
  return { partner, id, state, matchedBy, reason, day, settledOn: null, difference, note: isAsItWas ? old.note : null }
}
