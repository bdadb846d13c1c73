import {
  FINDINGS_SHOWN_MAX,
  type Finding,
  type HourOfMoves,
  ID_MAX,
  NOTHING,
  type Range,
  type RowCheck,
  sumHours,
} from '../../core/money/ledger/index.ts'
import { firstIdAt, momentOfId } from '../../kernel/ids.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import { type Hours, readSummed, selectTotalsWithin } from './repository.ts'
import { hourOf } from './sweeps.ts'

const HOUR_MILLISECONDS = 3_600_000
/** A time before the first hour: for a merchant without any summed hour. */
const NEVER = new Date(0)

/** Returns the whole hours that a range of journals touches, up to the last hour that is summed. */
function hoursOf({ merchantId, after, upTo }: Range, through: Date): Hours {
  const from = hourOf(momentOfId(after < 0n ? 0n : after))
  const end = upTo === ID_MAX ? through : new Date(hourOf(momentOfId(upTo)).getTime() + HOUR_MILLISECONDS)
  return { merchantId, from, to: end < through ? end : through }
}

/** Merges overlapping hours, since adjacent ranges can touch the same hour. */
function distinctHours(hours: readonly Hours[]): readonly Hours[] {
  const merged: Hours[] = []
  for (const one of hours.toSorted((a, b) => Number(a.merchantId - b.merchantId) || +a.from - +b.from)) {
    const last = merged.at(-1)
    if (last?.merchantId !== one.merchantId || last.to < one.from) merged.push(one)
    else if (last.to < one.to) merged[merged.length - 1] = { ...last, to: one.to }
  }
  return merged
}

const journalsIn = ({ merchantId, from, to }: Hours): Range => ({
  merchantId,
  after: firstIdAt(from) - 1n,
  upTo: firstIdAt(to) - 1n,
})

const textOf = ({ merchantId, hour, source, target }: HourOfMoves): string =>
  `${merchantId} ${hour.toISOString()} ${source} to ${target}`

/** Finds hourly sums that differ from the sum of the hour's moves. */
async function findWrongSums(tx: Tx, ranges: readonly Range[]): Promise<readonly Finding[]> {
  const summed = await readSummed(tx, [...new Set(ranges.map(({ merchantId }) => merchantId))])
  const through = new Map(summed.map((row) => [row.merchantId, row.through]))
  const hours = distinctHours(
    ranges.map((range) => hoursOf(range, through.get(range.merchantId) ?? NEVER)).filter(({ from, to }) => from < to),
  )
  const [booked, stored] = await Promise.all([sumHours(tx, hours.map(journalsIn)), selectTotalsWithin(tx, hours)])
  const findings: Finding[] = []
  const unmatched = new Map(stored.map((row) => [textOf(row), row]))
  for (const row of booked) {
    const same = unmatched.get(textOf(row))
    unmatched.delete(textOf(row))
    if (same?.amount !== row.amount || same.count !== row.count)
      findings.push(wrongTotal(row, same?.amount ?? 0n, row.amount))
  }
  findings.push(...[...unmatched.values()].map((row) => wrongTotal(row, row.amount, 0n)))
  return findings.slice(0, FINDINGS_SHOWN_MAX)
}

const wrongTotal = ({ merchantId, hour, source, target }: HourOfMoves, stored: bigint, booked: bigint): Finding => ({
  merchantId,
  reference: hour.toISOString(),
  what: `the hour’s total from ${source} to ${target} is stored as ${stored}, but its moves sum to ${booked}`,
})

export const dashboardChecks: readonly RowCheck[] = [
  {
    name: 'hourly total',
    rows: { table: 'journal', idFormat: 'standard' },
    run: async (tx, ranges) => ({ ...NOTHING, findings: await findWrongSums(tx, ranges) }),
  },
]
