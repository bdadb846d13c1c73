import { firstTransactionIdAt, momentOfId } from '../../../../kernel/ids.ts'
import type { Tx } from '../../../../platform/postgres/db.ts'
import { names } from '../../../../platform/postgres/sql.ts'
import { type CheckResult, ID_MAX, NOTHING, type Range, type RowCheck, ranged, within } from './check.ts'

/** At most this many rows per query, so that each query is short. */
const ROWS_MAX = 5_000

/** Runs a check on rows in ranges, in bounded steps. */
export async function checkRanges(tx: Tx, { rows, run }: RowCheck, ranges: readonly Range[]): Promise<CheckResult> {
  if (ranges.length === 0) return NOTHING
  if (rows === undefined) return run(tx, ranges)
  const results: CheckResult[] = []
  const idRanges = rows.idFormat === 'transaction' ? ranges.map(ofTransactions) : ranges
  for await (const some of inPieces(tx, rows.table, idRanges)) results.push(await run(tx, some))
  return {
    findings: results.flatMap(({ findings }) => findings),
    open: results.flatMap(({ open }) => open),
    held: results.flatMap(({ held }) => held),
  }
}

/**
 * Converts a range of ids to ids of transactions from the same period. Ids of transactions count whole seconds, so the
 * seconds at both ends are included.
 */
const ofTransactions = ({ merchantId, after, upTo }: Range): Range => ({
  merchantId,
  after: firstTransactionIdAt(momentOfId(after)) - 1n,
  upTo: upTo === ID_MAX ? ID_MAX : firstTransactionIdAt(new Date(momentOfId(upTo).getTime() + 1_000)),
})

/** Splits ranges into pieces of at most ROWS_MAX rows, without gaps. */
export async function* inPieces(tx: Tx, table: string, ranges: readonly Range[]): AsyncGenerator<readonly Range[]> {
  let left = ranges
  while (left.length > 0) {
    const further: Range[] = []
    let piece: Range[] = []
    let count = 0
    for (const { found, last, ...range } of await measure(tx, table, left)) {
      const isCut = found === ROWS_MAX && last !== null && last < range.upTo
      if (isCut) further.push({ ...range, after: last })
      if (count + found > ROWS_MAX && piece.length > 0) {
        yield piece
        piece = []
        count = 0
      }
      piece.push(isCut ? { ...range, upTo: last } : range)
      count += found
    }
    yield piece
    left = further
  }
}

/** Counts the rows in each range, up to ROWS_MAX, and finds the id of the last one. */
const measure = (
  tx: Tx,
  table: string,
  ranges: readonly Range[],
): Promise<(Range & { found: number; last: bigint | null })[]> =>
  tx<(Range & { found: number; last: bigint | null })[]>`
    select k.merchant_id, k.after, k.up_to, c.found, c.last
      from ${ranged(ranges)}
     cross join lateral (
       select count(*)::integer as found, max(id) as last
         from (select r.id from ${names(table)} r where ${within('r', ranges)} order by r.id limit ${ROWS_MAX}) first) c`
