import {
  FINDINGS_TOLD_MAX,
  type Finding,
  type HourOfMoves,
  ID_MAX,
  NOTHING,
  type Range,
  type RowQuestion,
  sumHours,
} from '../../core/money/ledger/index.ts'
import { firstIdAt, momentOfId } from '../../kernel/ids.ts'
import type { Tx } from '../../platform/db.ts'
import { type Hours, readSummed, selectTotalsWithin } from './repository.ts'
import { hourOf } from './sweeps.ts'

const HOUR_MILLISECONDS = 3_600_000
/** Before the first hour: nothing is summed up. */
const NEVER = new Date(0)

/** The whole hours that a range of journals touches, as far as they are summed up. */
function hoursOf({ merchantId, after, upTo }: Range, through: Date): Hours {
  const from = hourOf(momentOfId(after < 0n ? 0n : after))
  const end = upTo === ID_MAX ? through : new Date(hourOf(momentOfId(upTo)).getTime() + HOUR_MILLISECONDS)
  return { merchantId, from, to: end < through ? end : through }
}

/** Hours of which none is there twice: ranges that follow each other touch the same one. */
function apart(hours: readonly Hours[]): readonly Hours[] {
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

/** The sums of hours are what the moves of these hours come to, no less and no more. */
async function findWrongSums(tx: Tx, ranges: readonly Range[]): Promise<readonly Finding[]> {
  const summed = await readSummed(tx, [...new Set(ranges.map(({ merchantId }) => merchantId))])
  const through = new Map(summed.map((row) => [row.merchantId, row.through]))
  const hours = apart(
    ranges.map((range) => hoursOf(range, through.get(range.merchantId) ?? NEVER)).filter(({ from, to }) => from < to),
  )
  const [booked, kept] = await Promise.all([sumHours(tx, hours.map(journalsIn)), selectTotalsWithin(tx, hours)])
  const findings: Finding[] = []
  const left = new Map(kept.map((row) => [textOf(row), row]))
  for (const row of booked) {
    const same = left.get(textOf(row))
    left.delete(textOf(row))
    if (same?.amount !== row.amount || same.count !== row.count)
      findings.push(unlike(row, same?.amount ?? 0n, row.amount))
  }
  findings.push(...[...left.values()].map((row) => unlike(row, row.amount, 0n)))
  return findings.slice(0, FINDINGS_TOLD_MAX)
}

const unlike = ({ merchantId, hour, source, target }: HourOfMoves, kept: bigint, booked: bigint): Finding => ({
  merchantId,
  reference: hour.toISOString(),
  what: `the hour’s total from ${source} to ${target} is kept as ${kept}, its moves sum to ${booked}`,
})

/** What must hold of the sums of hours. */
export const overviewQuestions: readonly RowQuestion[] = [
  {
    name: 'hourly total',
    rows: { table: 'journal', idsAre: 'moments' },
    ask: async (tx, ranges) => ({ ...NOTHING, findings: await findWrongSums(tx, ranges) }),
  },
]
