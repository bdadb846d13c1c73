import type { Tx } from '../../../../platform/postgres/db.ts'
import type { Sum } from '../ledger-checks.ts'
import { type Finding, type Held, type Range, type RowCheck, type RowKey, single } from './check.ts'
import type { Checkpoint } from './checkpoint.ts'
import { checkJournals } from './journals.ts'
import { checkRanges } from './walk.ts'

interface Requested {
  readonly ranges: readonly Range[]
  /** All new rows, for checks that run once over everything new. */
  readonly newRows?: readonly Range[]
  /** Checkpoints whose open rows are checked too. */
  readonly open?: readonly Checkpoint[]
}

export interface ChecksRun {
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
export async function runChecks(tx: Tx, checks: readonly RowCheck[], requested: Requested): Promise<ChecksRun> {
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

/** Returns the ranges for one check, so that each row is in only one of them. */
function rangesFor(
  { name, rows }: RowCheck,
  { ranges, newRows = [], open = [] }: Requested,
  owners: readonly RowKey[],
): readonly Range[] {
  if (rows === undefined) return newRows
  const ofMerchant = Map.groupBy(ranges, ({ merchantId }) => merchantId)
  const isInRanges = ({ merchantId, id }: RowKey): boolean =>
    ofMerchant.get(merchantId)?.some(({ after, upTo }) => after < id && id <= upTo) === true
  const stillOpen = open.flatMap(({ merchantId, open: byName }) =>
    (byName.get(name) ?? []).map((id): RowKey => ({ merchantId, id })),
  )
  const singles = new Map([...stillOpen, ...owners].map((key) => [`${key.merchantId} ${key.id}`, key]))
  return [...ranges, ...[...singles.values()].filter((key) => !isInRanges(key)).map(single)]
}
