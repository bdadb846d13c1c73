import type { Tx } from '../../../../platform/postgres/db.ts'
import type { Sum } from '../ledger-checks.ts'
import { type Finding, type Held, type Range, type RowCheck, type RowKey, single } from './check.ts'
import type { Checkpoint } from './checkpoint.ts'
import { checkJournals } from './journals.ts'
import { checkRanges } from './walk.ts'

/** The rows to check. */
interface Requested {
  readonly ranges: readonly Range[]
  /** All new rows, for checks that run once over everything new. */
  readonly news?: readonly Range[]
  /** Checkpoints whose open rows are checked too. */
  readonly open?: readonly Checkpoint[]
}

export interface Looked {
  readonly findings: readonly Finding[]
  readonly sums: readonly Sum[]
  readonly journals: number
  readonly moves: number
  /** Rows that can still change, by check. */
  readonly open: ReadonlyMap<string, readonly RowKey[]>
  readonly held: readonly Held[]
}

/**
 * Runs all checks on the journals and rows in ranges, on the rows that these journals name, and on rows that were open.
 */
export async function lookAt(tx: Tx, checks: readonly RowCheck[], requested: Requested): Promise<Looked> {
  const { findings, sums, journals, moves, owners } = await checkJournals(tx, checks, requested.ranges)
  const results = await Promise.all(
    checks.map(async (check) => ({
      name: check.name,
      result: await checkRanges(tx, check, rangesFor(check, requested, owners.get(check.name) ?? [])),
    })),
  )
  return {
    findings: [...findings, ...results.flatMap(({ result }) => result.findings)],
    sums,
    journals,
    moves,
    open: new Map(results.map(({ name, result }) => [name, result.open])),
    held: results.flatMap(({ result }) => result.held),
  }
}

/** The ranges for one check, with each row once. */
function rangesFor(
  { name, rows }: RowCheck,
  { ranges, news = [], open = [] }: Requested,
  owners: readonly RowKey[],
): readonly Range[] {
  if (rows === undefined) return news
  const ofMerchant = Map.groupBy(ranges, ({ merchantId }) => merchantId)
  const isLookedAt = ({ merchantId, id }: RowKey): boolean =>
    ofMerchant.get(merchantId)?.some(({ after, upTo }) => after < id && id <= upTo) === true
  const left = open.flatMap(({ merchantId, open: byName }) =>
    (byName.get(name) ?? []).map((id): RowKey => ({ merchantId, id })),
  )
  const singles = new Map([...left, ...owners].map((key) => [`${key.merchantId} ${key.id}`, key]))
  return [...ranges, ...[...singles.values()].filter((key) => !isLookedAt(key)).map(single)]
}
