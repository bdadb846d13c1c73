import { StatementError } from '../../core/bank-statements/index.ts'
import type { UnitOfWork } from '../../core/unit-of-work.ts'
import { chunksOf } from '../../platform/lanes/chunks.ts'
import { collectEntries } from './collect-entries.ts'
import { lastClosed } from './day-repository.ts'
import { endProposals } from './decision-repository.ts'
import {
  assignEntries,
  type Entry,
  selectMatchedEntries,
  selectNamedEntries,
  selectUnmatchedEntries,
} from './entry-repository.ts'
import {
  type ItemRow,
  insertItems,
  removeItems,
  selectMatchedReferences,
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
  selectNextLines,
  selectUnmatchedLines,
} from './statement-repository.ts'

/** The result of matching a partner's lines and entries. */
export interface MatchResult {
  readonly partner: string
  /** Lines and entries examined. */
  readonly lines: number
  readonly entries: number
  readonly matched: number
  /** Groups that need manual review. */
  readonly exceptions: number
}

/** How many days back to look for the original of a duplicate. */
const DUPLICATE_DAYS_MAX = 7

/** Matches a partner's unsettled statement lines with ledger entries. */
export async function matchPartner(unit: UnitOfWork, partner: string): Promise<MatchResult> {
  const account = await lockAccount(unit.tx, partner)
  if (account === undefined)
    throw new StatementError(`No account at ${partner} is registered. Register it with kobo statement account.`)
  const closed = (await lastClosed(unit.tx, partner)) ?? account.beganOn - 1
  await collectEntries(unit, account, closed)
  const byReference = await matchByReference(unit, partner)
  const rest = await matchRest(unit, account)
  return {
    partner,
    lines: byReference.lines + rest.lines,
    entries: byReference.entries + rest.entries,
    matched: byReference.matched + rest.matched,
    exceptions: rest.exceptions,
  }
}

type Counts = Pick<MatchResult, 'lines' | 'entries' | 'matched'>

const LINES_PER_CHUNK = 5_000

/**
 * Matches lines and entries that agree by reference. It works in chunks, so that a large statement is never in memory
 * as a whole.
 */
async function matchByReference(unit: UnitOfWork, partner: string): Promise<Counts> {
  const counts = { lines: 0, entries: 0, matched: 0 }
  let after = 0n
  for (;;) {
    const lines = await selectNextLines(unit.tx, partner, after, LINES_PER_CHUNK)
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

/** Finds the entries that lines refer to, and further entries that share another reference with these. */
async function namedEntries({ tx }: UnitOfWork, partner: string, lines: readonly Line[]): Promise<readonly Entry[]> {
  const names = new Set(lines.flatMap(namesOf))
  const found = await selectNamedEntries(tx, partner, [...names])
  const further = found.flatMap(({ named }) => named).filter((name) => !names.has(name))
  return further.length === 0 ? found : selectNamedEntries(tx, partner, [...names, ...further])
}

/** Matches the remaining lines and entries in one go, and gives a reason for every difference. */
async function matchRest(
  unit: UnitOfWork,
  { partner, beganOn }: StatementAccount,
): Promise<Omit<MatchResult, 'partner'>> {
  const { tx } = unit
  const [lines, entries] = [await selectUnmatchedLines(tx, partner), await selectUnmatchedEntries(tx, partner)]
  const step = match(lines, entries)
  // Entries of days without a statement are not exceptions yet: their lines may still arrive.
  const reportedUpTo = (await selectBalances(tx, partner)).at(-1)?.day ?? beganOn - 1
  const reported = step.entries.filter(({ day }) => day <= reportedUpTo)
  const before = new Map((await selectUnsettled(tx, partner)).map((item) => [item.id, item]))
  const remaining = new Set(before.keys())
  await writeGroups(unit, partner, step.groups, before, remaining)
  // The matches are written first, so that a duplicate of one of them is recognised.
  const exceptions = await findReasons(unit, partner, step.lines, reported)
  await writeGroups(unit, partner, exceptions, before, remaining)
  endProposals(tx, partner, [...remaining])
  removeItems(tx, partner, [...remaining])
  const matched = step.groups.filter((group) => group.reason === null).length
  const unmatched = step.groups.length - matched + exceptions.length
  return { lines: lines.length, entries: entries.length, matched, exceptions: unmatched }
}

/** Finds out why lines and entries have no counterpart. One that equals a matched line or entry is a duplicate. */
async function findReasons(
  { tx }: UnitOfWork,
  partner: string,
  lines: readonly Line[],
  entries: readonly Entry[],
): Promise<readonly Group[]> {
  const days = [...lines, ...entries].map(({ day }) => day)
  const from = days.reduce((first, day) => Math.min(first, day), Number.MAX_SAFE_INTEGER) - DUPLICATE_DAYS_MAX
  const names = [...new Set(lines.flatMap(namesOf))]
  const amounts = [...new Set(entries.map(({ amount }) => amount))]
  const matchedReferences = await selectMatchedReferences(tx, partner, from, names)
  const matchedEntries = await selectMatchedEntries(tx, partner, from, amounts)
  return reasonsOf({ lines, entries, matchedReferences, matchedEntries })
}

const GROUPS_PER_QUERY = 2_000

/** Stores groups. An unchanged item keeps its id and its explanation. */
async function writeGroups(
  unit: UnitOfWork,
  partner: string,
  groups: readonly Group[],
  before: ReadonlyMap<bigint, ItemRow>,
  /** Earlier items that no group has reused so far. */
  remaining: Set<bigint>,
): Promise<void> {
  const { tx, ids } = unit
  for (const set of chunksOf(groups, GROUPS_PER_QUERY)) {
    const [fresh, changed, moot]: [ItemRow[], ItemRow[], bigint[]] = [[], [], []]
    const [lines, entries]: [Line[], Entry[]] = [[], []]
    for (const group of set) {
      const known = [...group.lines, ...group.entries].flatMap(({ itemId }) => itemId ?? []).sort(ascending)
      const old = known.map((id) => before.get(id)).find((one) => one !== undefined && remaining.has(one.id))
      const item = itemOf(partner, old?.id ?? ids.id(), group, old)
      if (old === undefined) fresh.push(item)
      else {
        remaining.delete(old.id)
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
  // An item that is being received as a credit keeps that state, even if its reason has changed meanwhile.
  const isKept =
    old !== undefined && old.difference === difference && (old.reason === reason || old.state === 'CREDITING')
  const state = isKept ? old.state : 'OPEN'
  return { partner, id, state, matchedBy, reason, day, settledOn: null, difference, note: isKept ? old.note : null }
}
