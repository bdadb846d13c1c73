import { StatementError } from '../../core/money/statements/index.ts'
import type { UnitOfWork } from '../../core/unit-of-work.ts'
import { setsOf } from '../../platform/sets.ts'
import { lastClosed } from './day-repository.ts'
import { endProposals } from './decision-repository.ts'
import {
  assignEntries,
  type Entry,
  selectLooseEntries,
  selectNamedEntries,
  selectTakenEntries,
} from './entry-repository.ts'
import { gather } from './gather.ts'
import {
  type ItemRow,
  insertItems,
  removeItems,
  selectTakenNames,
  selectUnsettled,
  updateItems,
} from './item-repository.ts'
import { differenceOf, type Group, match, namesOf, reasonsOf } from './matching.ts'
import {
  assignLines,
  type Line,
  lockAccount,
  type StatementAccount,
  selectBalances,
  selectLooseLines,
  selectNextLines,
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
  const plain = await matchPlain(unit, partner)
  const rest = await matchLoose(unit, account)
  return {
    partner,
    lines: plain.lines + rest.lines,
    entries: plain.entries + rest.entries,
    matched: plain.matched + rest.matched,
    exceptions: rest.exceptions,
  }
}

type Counts = Pick<Matched, 'lines' | 'entries' | 'matched'>

/** So many lines are held against the entries that they name at once. */
const LINES_AT_ONCE = 5_000

/**
 * Takes what is plain first, some lines at a time, so that a large statement is never in memory: lines and entries that agree by
 * a reference belong together whatever else there is. All that does not is looked at as a whole afterwards.
 */
async function matchPlain(unit: UnitOfWork, partner: string): Promise<Counts> {
  const counts = { lines: 0, entries: 0, matched: 0 }
  let after = 0n
  for (;;) {
    const lines = await selectNextLines(unit.tx, partner, after, LINES_AT_ONCE)
    const last = lines.at(-1)
    if (last === undefined) return counts
    after = last.id
    const { groups } = match(lines, await namedEntries(unit, partner, lines))
    const agreed = groups.filter(({ matchedBy, reason }) => matchedBy === 'reference' && reason === null)
    await writeGroups(unit, partner, agreed, new Map(), new Set())
    for (const group of agreed) {
      counts.lines += group.lines.length
      counts.entries += group.entries.length
      counts.matched++
    }
  }
}

/** The entries that lines name, and those that have a further name of these. */
async function namedEntries({ tx }: UnitOfWork, partner: string, lines: readonly Line[]): Promise<readonly Entry[]> {
  const names = new Set(lines.flatMap(namesOf))
  const found = await selectNamedEntries(tx, partner, [...names])
  const further = found.flatMap(({ named }) => named).filter((name) => !names.has(name))
  return further.length === 0 ? found : selectNamedEntries(tx, partner, [...names, ...further])
}

/** Holds all that is left against each other, and says why a person is called for what does not agree. */
async function matchLoose(unit: UnitOfWork, { partner, beganOn }: StatementAccount): Promise<Omit<Matched, 'partner'>> {
  const { tx } = unit
  const [lines, entries] = [await selectLooseLines(tx, partner), await selectLooseEntries(tx, partner)]
  const step = match(lines, entries)
  // Entries of days of which the bank has yet to tell may still find their lines.
  const toldUpTo = (await selectBalances(tx, partner)).at(-1)?.day ?? beganOn - 1
  const told = step.entries.filter(({ day }) => day <= toldUpTo)
  const before = new Map((await selectUnsettled(tx, partner)).map((item) => [item.id, item]))
  const left = new Set(before.keys())
  await writeGroups(unit, partner, step.groups, before, left)
  // By now what was found just before belongs to something, too.
  const exceptions = await reasonsWith(unit, partner, step.lines, told)
  await writeGroups(unit, partner, exceptions, before, left)
  endProposals(tx, partner, [...left])
  removeItems(tx, partner, [...left])
  const matched = step.groups.filter((group) => group.reason === null).length
  const unmatched = step.groups.length - matched + exceptions.length
  return { lines: lines.length, entries: entries.length, matched, exceptions: unmatched }
}

/** Why a person is called for lines and entries without a counterpart: one that is like what belongs to something is its double. */
async function reasonsWith(
  { tx }: UnitOfWork,
  partner: string,
  lines: readonly Line[],
  entries: readonly Entry[],
): Promise<readonly Group[]> {
  const days = [...lines, ...entries].map(({ day }) => day)
  const from = days.reduce((first, day) => Math.min(first, day), Number.MAX_SAFE_INTEGER) - DOUBLE_DAYS_MAX
  const names = [...new Set(lines.flatMap(namesOf))]
  const amounts = [...new Set(entries.map(({ amount }) => amount))]
  const takenNames = await selectTakenNames(tx, partner, from, names)
  const takenEntries = await selectTakenEntries(tx, partner, from, amounts)
  return reasonsOf({ lines, entries, takenNames, takenEntries })
}

/** So many groups are written down at once. */
const SET_MAX = 2_000

/** Writes down what belongs together. What was known before under an id keeps it, and what a person said of it while it is the same. */
async function writeGroups(
  unit: UnitOfWork,
  partner: string,
  groups: readonly Group[],
  before: ReadonlyMap<bigint, ItemRow>,
  /** Items from before that have no group yet. */
  left: Set<bigint>,
): Promise<void> {
  const { tx, ids } = unit
  for (const set of setsOf(groups, SET_MAX)) {
    const [fresh, changed, moot]: [ItemRow[], ItemRow[], bigint[]] = [[], [], []]
    const [lines, entries]: [Line[], Entry[]] = [[], []]
    for (const group of set) {
      const known = [...group.lines, ...group.entries].flatMap(({ itemId }) => itemId ?? []).sort(ascending)
      const old = known.map((id) => before.get(id)).find((one) => one !== undefined && left.has(one.id))
      const item = itemOf(partner, old?.id ?? ids.id(), group, old)
      if (old === undefined) fresh.push(item)
      else {
        left.delete(old.id)
        if (!isSame(old, item)) changed.push(item)
        if (old.difference !== item.difference) moot.push(old.id)
      }
      for (const line of group.lines) if (line.itemId !== item.id) lines.push({ ...line, itemId: item.id })
      for (const entry of group.entries) if (entry.itemId !== item.id) entries.push({ ...entry, itemId: item.id })
    }
    insertItems(tx, fresh)
    updateItems(tx, changed)
    endProposals(tx, partner, moot)
    await Promise.all([assignLines(tx, partner, lines), assignEntries(tx, partner, entries)])
  }
}

const ascending = (a: bigint, b: bigint): number => (a < b ? -1 : 1)

const isSame = (one: ItemRow, other: ItemRow): boolean =>
  (['state', 'matchedBy', 'reason', 'day', 'settledOn', 'difference', 'note'] as const).every(
    (key) => one[key] === other[key],
  )

function itemOf(partner: string, id: bigint, group: Group, old: ItemRow | undefined): ItemRow {
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
