import { type Kobo, kobo } from '../../kernel/money.ts'
import type { Entry, TakenEntry } from './entry-repository.ts'
import type { Line } from './statement-repository.ts'

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

/** What belongs together: it adds up, or there is a reason for which a person is called. */
export interface Group {
  readonly lines: readonly Line[]
  readonly entries: readonly Entry[]
  readonly matchedBy: MatchedBy | null
  readonly reason: Reason | null
}

/** What was found to belong together, and what is left over. */
export interface Step {
  readonly groups: readonly Group[]
  readonly lines: readonly Line[]
  readonly entries: readonly Entry[]
}

/** How much more the bank has than the books by what belongs together. */
export const differenceOf = ({ lines, entries }: Pick<Group, 'lines' | 'entries'>): Kobo =>
  kobo(total(lines) - total(entries))

const total = (parts: readonly { readonly amount: bigint }[]): bigint =>
  parts.reduce((sum, { amount }) => sum + amount, 0n)

/**
 * Puts lines and entries together by the first of their keys that names one payment on both sides: a reference that the bank
 * has in a field of its own, then one in its narration; then, for a line without any reference, amount and day. What the bank
 * kept for itself goes with the payment that it names, or is the sum of a day.
 */
export function match(lines: readonly Line[], entries: readonly Entry[]): Step {
  const byReference = matchReferences(lines, entries)
  const byDay = matchDays(byReference.lines, byReference.entries)
  return { ...byDay, groups: [...byReference.groups, ...byDay.groups] }
}

function matchReferences(lines: readonly Line[], entries: readonly Entry[]): Step {
  const named = new Map<string, Entry[]>()
  for (const entry of entries)
    for (const name of entry.named) {
      const others = named.get(name)
      if (others === undefined) named.set(name, [entry])
      else others.push(entry)
    }
  /** The only payment of a name stands for all of its names. */
  const leaderOf = (line: Line): Entry | undefined => {
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
  const groups: Group[] = []
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
export function namesOf(line: Line): readonly string[] {
  const fields = [...referencesOf(line), nameOfLine(line)]
  const tokens = (line.narration ?? '')
    .split(/[^A-Za-z0-9|_~-]+/, TOKENS_MAX)
    .filter(({ length }) => length >= TOKEN_LENGTH_MIN)
  return [...fields, ...tokens].flatMap((name) => (/~\d+$/.test(name) ? [name, name.replace(/~\d+$/, '')] : [name]))
}

/** What a line is called where nobody else has called it anything. */
export const nameOfLine = ({ id }: Pick<Line, 'id'>): string => `statement-line-${id}`

/** What lines and entries of one reference make: a payment, and what the bank took for it. An entry that none has goes on. */
function groupsOf(lines: readonly Line[], entries: readonly Entry[]): readonly Group[] {
  if (total(lines) === total(entries)) return [{ lines, entries, matchedBy: 'reference', reason: null }]
  const [fees, payments] = [lines.filter(({ isFee }) => isFee), lines.filter(({ isFee }) => !isFee)]
  const costs = entries.filter(({ kind }) => kind === 'COST')
  const payment = entries.find(({ kind }) => kind === 'PAYMENT')
  const line = payments.find(({ amount }) => amount === payment?.amount) ?? payments[0]
  if (payment === undefined || line === undefined)
    return [...payments.map((one) => alone(one, reasonOf(one))), ...feesOf(fees, costs)]
  const isSame = line.amount === payment.amount
  // A bank that takes its fee off the amount has no line for it.
  const together = !isSame && fees.length === 0 ? entries : [payment]
  return [
    { lines: [line], entries: together, matchedBy: 'reference', reason: isSame ? null : 'WRONG_AMOUNT' },
    ...payments.filter((one) => one !== line).map((one) => alone(one, 'DOUBLED_LINE')),
    ...feesOf(fees, costs),
  ]
}

const alone = (line: Line, reason: Reason): Group => ({
  lines: [line],
  entries: [],
  matchedBy: null,
  reason,
})

function feesOf(fees: readonly Line[], costs: readonly Entry[]): readonly Group[] {
  if (fees.length === 0) return []
  if (costs.length === 0) return fees.map((line) => alone(line, 'UNBOOKED_FEE'))
  const isSame = total(fees) === total(costs)
  return [{ lines: fees, entries: costs, matchedBy: 'reference', reason: isSame ? null : 'WRONG_FEE' }]
}

/** A line without a reference and the only entry of its amount on its day; and what the bank took on a day as one sum. */
function matchDays(lines: readonly Line[], entries: readonly Entry[]): Step {
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
  const groups: Group[] = []
  for (const [key, some] of unnamed) {
    const [line, twin] = some
    const found = payments.get(key) ?? []
    if (line === undefined || twin !== undefined || found.length !== 1 || referencesOf(line).length > 0) continue
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

/** What a line has in fields of their own. */
export const referencesOf = ({ bankReference, named }: Pick<Line, 'bankReference' | 'named'>): readonly string[] =>
  bankReference === null ? named : [...named, bankReference]

/** What something is known by that belongs together already, and its amount. */
export interface TakenName {
  readonly name: string
  readonly amount: Kobo
}

/** What is left over, and what belongs to something already: one that is like one of these is its double. */
export interface LeftOver {
  readonly lines: readonly Line[]
  readonly entries: readonly Entry[]
  readonly takenNames: readonly TakenName[]
  readonly takenEntries: readonly TakenEntry[]
}

/** Why a person is called for what has no counterpart. */
export function reasonsOf({ lines, entries, takenNames, takenEntries }: LeftOver): readonly Group[] {
  const taken = new Set(takenNames.map(({ name, amount }) => `${amount} ${name}`))
  const isDouble = (line: Line): boolean => namesOf(line).some((name) => taken.has(`${line.amount} ${name}`))
  const twins = Map.groupBy(takenEntries, twinKey)
  const isToldTwice = (entry: Entry): boolean =>
    entry.kind === 'PAYMENT' &&
    entry.amount > 0n &&
    (twins.get(twinKey(entry)) ?? []).some(({ day }) => Math.abs(day - entry.day) <= 1)
  return [
    ...lines.map((line) => alone(line, line.isFee ? 'UNBOOKED_FEE' : isDouble(line) ? 'DOUBLED_LINE' : reasonOf(line))),
    ...entries.map(
      (entry): Group => ({
        lines: [],
        entries: [entry],
        matchedBy: null,
        reason: isToldTwice(entry) ? 'DOUBLED_NOTICE' : 'MISSING_LINE',
      }),
    ),
  ]
}

const twinKey = ({ merchantId, method, amount }: TakenEntry): string => `${merchantId} ${method} ${amount}`

const reasonOf = ({ amount }: Line): Reason => (amount > 0n ? 'MISSING_NOTICE' : 'UNKNOWN_DEBIT')
