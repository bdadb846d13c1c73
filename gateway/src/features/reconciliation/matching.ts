import { referenceOfAttempt } from '../../core/orders/index.ts'
import { type Kobo, kobo } from '../../kernel/money.ts'
import { hashedReference } from '../../platform/crypto.ts'
import type { Entry, MatchedEntry } from './entry-repository.ts'
import type { Line } from './statement-repository.ts'

/** Why an item needs manual review. */
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

/** How lines and entries were matched. */
export type MatchedBy = 'reference' | 'amount and day' | 'fees of a day' | 'person'

/** Lines and entries that belong together: they add up, or there is a reason for manual review. */
export interface Group {
  readonly lines: readonly Line[]
  readonly entries: readonly Entry[]
  readonly matchedBy: MatchedBy | null
  readonly reason: Reason | null
}

/** The groups found so far, and the lines and entries that are left. */
export interface Step {
  readonly groups: readonly Group[]
  readonly lines: readonly Line[]
  readonly entries: readonly Entry[]
}

/** Returns the bank's total of a group less the ledger's. */
export const differenceOf = ({ lines, entries }: Pick<Group, 'lines' | 'entries'>): Kobo =>
  kobo(total(lines) - total(entries))

const total = (parts: readonly { readonly amount: bigint }[]): bigint =>
  parts.reduce((sum, { amount }) => sum + amount, 0n)

/**
 * Matches lines with entries by the first key that identifies one payment on both sides. The keys are a reference in
 * its own field, a reference in the narration and, for a line without a reference, amount and day. A bank's charge is
 * matched with the payment it names, or as a day's sum.
 */
export function match(lines: readonly Line[], entries: readonly Entry[]): Step {
  const byReference = matchReferences(lines, entries)
  const byDay = matchDays(byReference.lines, byReference.entries)
  return { ...byDay, groups: [...byReference.groups, ...byDay.groups] }
}

function matchReferences(lines: readonly Line[], entries: readonly Entry[]): Step {
  const named = new Map<string, Entry[]>()
  const areHashed = lines.some((line) => namesOf(line).some(isHashed))
  for (const entry of entries)
    for (const name of areHashed ? [...entry.named, ...hashedNames(entry)] : entry.named) {
      const others = named.get(name)
      if (others === undefined) named.set(name, [entry])
      else others.push(entry)
    }
  /** Payments that already have their line and share a reference with another payment. */
  const namesakes = new Set<Entry>()
  /** Finds the payment that a line identifies by its references. If several have one, the amount decides. */
  const leaderOf = (line: Line): Entry | undefined => {
    for (const name of namesOf(line)) {
      const found = named.get(name) ?? []
      const payments = found.filter(({ kind }) => kind !== 'COST')
      if (payments.length < 2) {
        const only = payments[0] ?? found[0]
        if (only !== undefined) return only
        continue
      }
      const namesake = payments.find((entry) => entry.amount === line.amount && !namesakes.has(entry))
      if (namesake === undefined) continue
      namesakes.add(namesake)
      return namesake
    }
    return undefined
  }
  const byLeader = Map.groupBy(lines, leaderOf)
  const rest = new Set(entries)
  const groups: Group[] = []
  for (const [leader, some] of byLeader) {
    if (leader === undefined) continue
    const owned = new Set(
      leader.named
        .flatMap((name) => named.get(name) ?? [])
        .filter((entry) => rest.has(entry) && (entry === leader || entry.kind === 'COST' || !namesakes.has(leader))),
    )
    for (const group of groupsOf(some, [...owned])) {
      groups.push(group)
      for (const entry of group.entries) rest.delete(entry)
    }
  }
  return { groups, lines: byLeader.get(undefined) ?? [], entries: [...rest] }
}

const HASHED = /^K[0-9A-F]{24}$/
export const isHashed = (name: string): boolean => HASHED.test(name)
/** The attempts of an order whose hashed references are recognised. */
const HASHED_ATTEMPTS = [1, 2, 3]

/** Returns the hashes that a connector may send instead of an entry's references. */
export const hashedNames = ({ named }: Pick<Entry, 'named'>): readonly string[] =>
  named.flatMap((name) => HASHED_ATTEMPTS.map((tries) => hashedReference(referenceOfAttempt(name, tries))))

/** The minimum length of a reference in a narration. */
const TOKEN_LENGTH_MIN = 8
const TOKENS_MAX = 40

/** Returns a line's possible references, in order of priority. A retried order has a number after its reference. */
export function namesOf(line: Line): readonly string[] {
  const fields = [...referencesOf(line), nameOfLine(line)]
  const tokens = (line.narration ?? '')
    .split(/[^A-Za-z0-9|_~-]+/, TOKENS_MAX)
    .filter(({ length }) => length >= TOKEN_LENGTH_MIN)
  return [...fields, ...tokens].flatMap((name) => (/~\d+$/.test(name) ? [name, name.replace(/~\d+$/, '')] : [name]))
}

/** Returns a generated reference, for a line without one. */
export const nameOfLine = ({ id }: Pick<Line, 'id'>): string => `statement-line-${id}`

/**
 * Groups the lines and entries with one reference: a payment and the bank's fee for it. Unmatched entries are left out.
 */
function groupsOf(lines: readonly Line[], entries: readonly Entry[]): readonly Group[] {
  if (total(lines) === total(entries)) return [{ lines, entries, matchedBy: 'reference', reason: null }]
  const [fees, payments] = [lines.filter(({ isFee }) => isFee), lines.filter(({ isFee }) => !isFee)]
  const costs = entries.filter(({ kind }) => kind === 'COST')
  const payment = entries.find(({ kind }) => kind === 'PAYMENT')
  const line = payments.find(({ amount }) => amount === payment?.amount) ?? payments[0]
  if (payment === undefined || line === undefined)
    return [...payments.map((one) => alone(one, reasonOf(one))), ...feesOf(fees, costs)]
  const isSame = line.amount === payment.amount
  // A bank that deducts its fee from the amount has no line for the fee.
  const together = !isSame && fees.length === 0 ? entries : [payment]
  return [
    { lines: [line], entries: together, matchedBy: 'reference', reason: isSame ? null : 'WRONG_AMOUNT' },
    // A line with the opposite sign is money that came back.
    ...payments
      .filter((one) => one !== line)
      .map((one) => alone(one, one.amount > 0n === line.amount > 0n ? 'DOUBLED_LINE' : reasonOf(one))),
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

/**
 * Matches a line without a reference with the only entry of its amount and day. The bank's charges of a day are matched
 * if their sum is equal.
 */
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
    const [line, another] = some
    const found = payments.get(key) ?? []
    if (line === undefined || another !== undefined || found.length !== 1 || referencesOf(line).length > 0) continue
    groups.push({ lines: [line], entries: found, matchedBy: 'amount and day', reason: null })
  }
  for (const [day, some] of fees) {
    const found = costs.get(day) ?? []
    if (found.length > 0 && total(some) === total(found))
      groups.push({ lines: some, entries: found, matchedBy: 'fees of a day', reason: null })
  }
  const [matchedLines, matchedEntries] = [
    new Set(groups.flatMap((one) => one.lines)),
    new Set(groups.flatMap((one) => one.entries)),
  ]
  return {
    groups,
    lines: lines.filter((line) => !matchedLines.has(line)),
    entries: entries.filter((entry) => !matchedEntries.has(entry)),
  }
}

/** Returns the references that a line has outside its narration. */
export const referencesOf = ({ bankReference, named }: Pick<Line, 'bankReference' | 'named'>): readonly string[] =>
  bankReference === null ? named : [...named, bankReference]

/** A reference of a matched item, and its amount. */
export interface MatchedReference {
  readonly name: string
  readonly amount: Kobo
}

/** Unmatched lines and entries, and matched items that they may duplicate. */
export interface Unmatched {
  readonly lines: readonly Line[]
  readonly entries: readonly Entry[]
  readonly matchedReferences: readonly MatchedReference[]
  readonly matchedEntries: readonly MatchedEntry[]
}

/** Gives each line and entry without a counterpart its reason. */
export function reasonsOf({ lines, entries, matchedReferences, matchedEntries }: Unmatched): readonly Group[] {
  const matched = new Set(matchedReferences.map(({ name, amount }) => `${amount} ${name}`))
  const isDouble = (line: Line): boolean => namesOf(line).some((name) => matched.has(`${line.amount} ${name}`))
  const candidates = Map.groupBy(matchedEntries, duplicateKey)
  const isReportedTwice = (entry: Entry): boolean =>
    entry.kind === 'PAYMENT' &&
    entry.amount > 0n &&
    (candidates.get(duplicateKey(entry)) ?? []).some(({ day }) => Math.abs(day - entry.day) <= 1)
  return [
    ...lines.map((line) => alone(line, line.isFee ? 'UNBOOKED_FEE' : isDouble(line) ? 'DOUBLED_LINE' : reasonOf(line))),
    ...entries.map(
      (entry): Group => ({
        lines: [],
        entries: [entry],
        matchedBy: null,
        reason: isReportedTwice(entry) ? 'DOUBLED_NOTICE' : 'MISSING_LINE',
      }),
    ),
  ]
}

const duplicateKey = ({ merchantId, method, amount }: MatchedEntry): string => `${merchantId} ${method} ${amount}`

const reasonOf = ({ amount }: Line): Reason => (amount > 0n ? 'MISSING_NOTICE' : 'UNKNOWN_DEBIT')
