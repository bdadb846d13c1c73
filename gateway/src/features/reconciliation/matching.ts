import { type Kobo, kobo } from '../../kernel/money.ts'
import type { EntryRow } from './entry-repository.ts'
import type { LineRow } from './statement-repository.ts'

/** Why a person is called. */
export const REASONS = [
  'MISSING_NOTICE',
  'UNKNOWN_DEBIT',
  'DOUBLED_LINE',
  'DOUBLED_NOTICE',
  'MISSING_LINE',
  'WRONG_AMOUNT',
  'WRONG_FEE',
  'UNBOOKED_FEE',
] as const
export type Reason = (typeof REASONS)[number]

/** By what lines and entries were found to belong together. */
export type MatchedBy = 'reference' | 'amount and day' | 'fees of a day' | 'person'

export type Line = Pick<LineRow, 'id' | 'day' | 'amount' | 'isFee' | 'bankReference' | 'named' | 'narration' | 'itemId'>
export type Entry = Pick<EntryRow, 'merchantId' | 'key' | 'day' | 'amount' | 'kind' | 'method' | 'named' | 'itemId'>

/** What belongs together: it adds up, or there is a reason for which a person is called. */
export interface Group<L extends Line = Line, E extends Entry = Entry> {
  readonly lines: readonly L[]
  readonly entries: readonly E[]
  readonly matchedBy: MatchedBy | null
  readonly reason: Reason | null
}

/** What is to be matched, and what of it is known already. */
export interface Question<L extends Line, E extends Entry> {
  readonly lines: readonly L[]
  readonly entries: readonly E[]
  /** The last day of which the bank has told everything: an entry after it may still find its line. */
  readonly toldUpTo: number
  /** What belongs to something already: a line or an entry that is like one of these is its double. */
  readonly takenLines: readonly Pick<LineRow, 'bankReference' | 'named' | 'amount' | 'isFee'>[]
  readonly takenEntries: readonly Entry[]
}

/** How much more the bank has than the books by what belongs together. */
export const differenceOf = ({ lines, entries }: Pick<Group, 'lines' | 'entries'>): Kobo =>
  kobo(total(lines) - total(entries))

const total = (parts: readonly { readonly amount: bigint }[]): bigint =>
  parts.reduce((sum, { amount }) => sum + amount, 0n)

/**
 * Puts lines and entries together by the first of their keys that names one payment on both sides: a reference that the bank
 * has in a field of its own, then one in its narration; then, for a line without any reference, amount and day. What the bank
 * kept for itself goes with the payment that it names, or is the sum of a day. What is left over has a reason.
 */
export function match<L extends Line, E extends Entry>(question: Question<L, E>): readonly Group<L, E>[] {
  const byReference = matchReferences(question.lines, question.entries)
  const byDay = matchDays(byReference.lines, byReference.entries)
  const groups = [...byReference.groups, ...byDay.groups]
  const taken = groups.filter(({ reason }) => reason === null)
  const known = {
    ...question,
    takenLines: [...question.takenLines, ...taken.flatMap(({ lines }) => lines)],
    takenEntries: [...question.takenEntries, ...taken.flatMap(({ entries }) => entries)],
  }
  return [...groups, ...leftOver(known, byDay.lines, byDay.entries)]
}

interface Step<L extends Line, E extends Entry> {
  readonly groups: readonly Group<L, E>[]
  /** What is left for the next key. */
  readonly lines: readonly L[]
  readonly entries: readonly E[]
}

function matchReferences<L extends Line, E extends Entry>(lines: readonly L[], entries: readonly E[]): Step<L, E> {
  const named = new Map<string, E[]>()
  for (const entry of entries) for (const name of entry.named) named.set(name, [...(named.get(name) ?? []), entry])
  /** The only payment of a name stands for all of its names. */
  const leaderOf = (line: L): E | undefined => {
    for (const name of namesOf(line)) {
      const [first, ...more] = (named.get(name) ?? []).toSorted(
        (a, b) => Number(a.kind === 'COST') - Number(b.kind === 'COST'),
      )
      if (first !== undefined && more.every(({ kind }) => kind === 'COST')) return first
    }
    return undefined
  }
  const byLeader = Map.groupBy(lines, leaderOf)
  const rest = new Set(entries)
  const groups: Group<L, E>[] = []
  for (const [leader, some] of byLeader) {
    if (leader === undefined) continue
    const owned = new Set(leader.named.flatMap((name) => named.get(name) ?? []).filter((entry) => rest.has(entry)))
    for (const group of groupsOf(some, [...owned])) {
      groups.push(group)
      for (const entry of group.entries) rest.delete(entry)
    }
  }
  return { groups, lines: byLeader.get(undefined) ?? [], entries: [...rest] }
}

/** What a token of a narration must have to name a payment. */
const TOKEN_LENGTH_MIN = 8
const TOKENS_MAX = 40

/** What a line may be known by, in the order in which it counts. A further try of an order has a number behind its reference. */
function namesOf(line: Line): readonly string[] {
  const { named, bankReference, narration } = line
  const fields = [...named, ...(bankReference === null ? [] : [bankReference]), nameOfLine(line)]
  const tokens = (narration ?? '')
    .split(/[^A-Za-z0-9|_~-]+/, TOKENS_MAX)
    .filter(({ length }) => length >= TOKEN_LENGTH_MIN)
  return [...fields, ...tokens].flatMap((name) => (/~\d+$/.test(name) ? [name, name.replace(/~\d+$/, '')] : [name]))
}

/** What a line is called where nobody else has called it anything. */
export const nameOfLine = ({ id }: Pick<Line, 'id'>): string => `statement-line-${id}`

/** What lines and entries of one reference make: a payment, and what the bank took for it. An entry that none has goes on. */
function groupsOf<L extends Line, E extends Entry>(lines: readonly L[], entries: readonly E[]): readonly Group<L, E>[] {
  if (total(lines) === total(entries)) return [{ lines, entries, matchedBy: 'reference', reason: null }]
  const [fees, payments] = [lines.filter(({ isFee }) => isFee), lines.filter(({ isFee }) => !isFee)]
  const costs = entries.filter(({ kind }) => kind === 'COST')
  const payment = entries.find(({ kind }) => kind === 'PAYMENT')
  const line = payments.find(({ amount }) => amount === payment?.amount) ?? payments[0]
  if (payment === undefined || line === undefined)
    return [...payments.map((one) => alone<L, E>(one, reasonOf(one))), ...feesOf(fees, costs)]
  const isSame = line.amount === payment.amount
  // A bank that takes its fee off the amount has no line for it.
  const together = !isSame && fees.length === 0 ? entries : [payment]
  return [
    { lines: [line], entries: together, matchedBy: 'reference', reason: isSame ? null : 'WRONG_AMOUNT' },
    ...payments.filter((one) => one !== line).map((one) => alone<L, E>(one, 'DOUBLED_LINE')),
    ...feesOf(fees, costs),
  ]
}

const alone = <L extends Line, E extends Entry>(line: L, reason: Reason): Group<L, E> => ({
  lines: [line],
  entries: [],
  matchedBy: null,
  reason,
})

function feesOf<L extends Line, E extends Entry>(fees: readonly L[], costs: readonly E[]): readonly Group<L, E>[] {
  if (fees.length === 0) return []
  if (costs.length === 0) return fees.map((line) => alone(line, 'UNBOOKED_FEE'))
  const isSame = total(fees) === total(costs)
  return [{ lines: fees, entries: costs, matchedBy: 'reference', reason: isSame ? null : 'WRONG_FEE' }]
}

/** A line without a reference and the only entry of its amount on its day; and what the bank took on a day as one sum. */
function matchDays<L extends Line, E extends Entry>(lines: readonly L[], entries: readonly E[]): Step<L, E> {
  const keyOf = ({ amount, day }: { readonly amount: bigint; readonly day: number }): string => `${amount} ${day}`
  const payments = Map.groupBy(
    entries.filter(({ kind }) => kind === 'PAYMENT'),
    keyOf,
  )
  const unnamed = Map.groupBy(
    lines.filter((line) => !line.isFee),
    keyOf,
  )
  const costs = Map.groupBy(
    entries.filter(({ kind }) => kind === 'COST'),
    ({ day }) => day,
  )
  const fees = Map.groupBy(
    lines.filter(({ isFee }) => isFee),
    ({ day }) => day,
  )
  const groups: Group<L, E>[] = []
  for (const [key, some] of unnamed) {
    const [line, twin] = some
    const found = payments.get(key) ?? []
    if (line === undefined || twin !== undefined || found.length !== 1 || isNamed(line)) continue
    groups.push({ lines: [line], entries: found, matchedBy: 'amount and day', reason: null })
  }
  for (const [day, some] of fees) {
    const found = costs.get(day) ?? []
    if (found.length > 0 && total(some) === total(found))
      groups.push({ lines: some, entries: found, matchedBy: 'fees of a day', reason: null })
  }
  const [takenLines, takenEntries] = [
    new Set(groups.flatMap((one) => one.lines)),
    new Set(groups.flatMap((one) => one.entries)),
  ]
  return {
    groups,
    lines: lines.filter((line) => !takenLines.has(line)),
    entries: entries.filter((entry) => !takenEntries.has(entry)),
  }
}

const isNamed = ({ bankReference, named }: Line): boolean => bankReference !== null || named.length > 0

/** What has no counterpart, and why a person is called for it; entries of days of which the bank has yet to tell are left out. */
function leftOver<L extends Line, E extends Entry>(
  { toldUpTo, takenLines, takenEntries }: Question<L, E>,
  lines: readonly L[],
  entries: readonly E[],
): readonly Group<L, E>[] {
  const namesTaken = new Map<string, Set<string>>()
  for (const { bankReference, named, amount, isFee } of takenLines)
    for (const name of [...named, ...(bankReference === null ? [] : [bankReference])])
      if (!isFee) namesTaken.set(name, (namesTaken.get(name) ?? new Set()).add(String(amount)))
  const isDouble = (line: L): boolean =>
    [...line.named, ...(line.bankReference === null ? [] : [line.bankReference])].some(
      (name) => namesTaken.get(name)?.has(String(line.amount)) === true,
    )
  const twins = Map.groupBy(takenEntries, (entry) => twinKey(entry))
  const isToldTwice = (entry: E): boolean =>
    entry.kind === 'PAYMENT' &&
    entry.amount > 0n &&
    (twins.get(twinKey(entry)) ?? []).some(({ day }) => Math.abs(day - entry.day) <= 1)
  return [
    ...lines.map((line) =>
      alone<L, E>(line, line.isFee ? 'UNBOOKED_FEE' : isDouble(line) ? 'DOUBLED_LINE' : reasonOf(line)),
    ),
    ...entries
      .filter(({ day }) => day <= toldUpTo)
      .map(
        (entry): Group<L, E> => ({
          lines: [],
          entries: [entry],
          matchedBy: null,
          reason: isToldTwice(entry) ? 'DOUBLED_NOTICE' : 'MISSING_LINE',
        }),
      ),
  ]
}

const twinKey = ({ merchantId, method, amount }: Entry): string => `${merchantId} ${method} ${amount}`

const reasonOf = ({ amount }: Line): Reason => (amount > 0n ? 'MISSING_NOTICE' : 'UNKNOWN_DEBIT')
