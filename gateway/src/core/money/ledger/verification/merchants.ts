import { idsIn } from '../../../../kernel/ids.ts'
import { type Db, inTransaction, SNAPSHOT, type Tx } from '../../../../platform/postgres/db.ts'
import { findWrongBalances } from './balances.ts'
import { type Finding, ID_MAX, type Range, type RowCheck, ranged, within } from './check.ts'
import type { Checkpoint } from './checkpoint.ts'
import { type ChecksRun, runChecks } from './run-checks.ts'

export interface Verification {
  readonly findings: readonly Finding[]
  /** Checkpoints of merchants without findings. */
  readonly verified: readonly Checkpoint[]
  readonly journals: number
  readonly moves: number
  readonly accounts: number
  /** The sum of all balances of these merchants. */
  readonly imbalance: bigint
}

/** More journals than this since a checkpoint are verified in steps, each in its own snapshot. */
const STEP_JOURNALS = 2_000
/**
 * Journals that are this much older than the merchant's newest one are final. No open transaction can still add an
 * older id: queries end after a minute, and a node with a wrong clock stops working.
 */
const FINAL_AFTER_SECONDS = 900
/** A checkpoint with more open rows than this is not stored. */
const OPEN_MAX = 10_000

/** Verifies merchants from their checkpoints: first the final rows, in steps, and then all rows up to now. */
export async function verifyMerchants(
  db: Db,
  checks: readonly RowCheck[],
  starts: readonly Checkpoint[],
  onStep: (journals: number) => void,
): Promise<Verification> {
  const findings: Finding[] = []
  let [journals, moves] = [0, 0]
  let reached = starts
  for (let steps = await nextSteps(db, reached); steps.length > 0; steps = await nextSteps(db, reached)) {
    const run = await inTransaction(db, (tx) => runChecks(tx, checks, { ranges: steps }), SNAPSHOT)
    reached = reached.map((base) => {
      const step = steps.find(({ merchantId }) => merchantId === base.merchantId)
      return step === undefined ? base : advanced(base, run, step.upTo)
    })
    findings.push(...run.findings)
    journals += run.journals
    moves += run.moves
    onStep(journals)
  }
  const now = await inTransaction(db, (tx) => verifyNow(tx, checks, starts, reached), SNAPSHOT)
  findings.push(...now.findings)
  const withFindings = new Set(findings.map(({ merchantId }) => merchantId))
  return {
    ...now,
    findings,
    verified: now.verified.filter(({ merchantId }) => !withFindings.has(merchantId)),
    journals: journals + now.journals,
    moves: moves + now.moves,
  }
}

/** Verifies all rows up to now, in one snapshot. */
async function verifyNow(
  tx: Tx,
  checks: readonly RowCheck[],
  starts: readonly Checkpoint[],
  reached: readonly Checkpoint[],
): Promise<Verification> {
  const finalIds = await findFinalIds(tx, reached)
  const ranges = reached.flatMap(({ merchantId, upTo }): Range[] => {
    const finalUpTo = finalIds.get(merchantId) ?? upTo
    return finalUpTo > upTo
      ? [
          { merchantId, after: upTo, upTo: finalUpTo },
          { merchantId, after: finalUpTo, upTo: ID_MAX },
        ]
      : [{ merchantId, after: upTo, upTo: ID_MAX }]
  })
  const newRows = starts.map(({ merchantId, upTo }) => ({ merchantId, after: upTo, upTo: ID_MAX }))
  const run = await runChecks(tx, checks, { ranges, newRows, open: reached })
  const balances = await findWrongBalances(
    tx,
    reached.map((base) => advanced(base, run, ID_MAX)),
    run.held,
  )
  const verified = reached.map((base) =>
    advanced({ ...base, open: new Map() }, run, finalIds.get(base.merchantId) ?? base.upTo),
  )
  return {
    ...balances,
    journals: run.journals,
    moves: run.moves,
    findings: [...run.findings, ...balances.findings],
    verified: verified.filter(({ open }) => [...open.values()].every(({ length }) => length <= OPEN_MAX)),
  }
}

/** Moves a checkpoint forward to an id, with the sums and open rows of the rows up to that id. */
function advanced(base: Checkpoint, { sums, open }: ChecksRun, upTo: bigint): Checkpoint {
  const moved = new Map(base.sums)
  for (const sum of sums)
    if (sum.merchantId === base.merchantId && sum.upTo <= upTo)
      moved.set(sum.code, (moved.get(sum.code) ?? 0n) + sum.moved)
  const left = new Map(base.open)
  for (const [name, rows] of open) {
    const ids = rows.flatMap(({ merchantId, id }) => (merchantId === base.merchantId && id <= upTo ? id : []))
    if (ids.length > 0) left.set(name, [...new Set([...(left.get(name) ?? []), ...ids])])
  }
  return { merchantId: base.merchantId, upTo: upTo > base.upTo ? upTo : base.upTo, sums: moved, open: left }
}

async function findFinalIds(tx: Tx, reached: readonly Checkpoint[]): Promise<ReadonlyMap<bigint, bigint>> {
  const ranges = reached.map(since)
  const rows = await tx<{ merchantId: bigint; newest: bigint }[]>`
    select k.merchant_id, newest.id as newest
      from ${ranged(ranges)}
     cross join lateral (select j.id from journal j where ${within('j', ranges)} order by j.id desc limit 1) newest`
  return new Map(rows.map(({ merchantId, newest }) => [merchantId, newest - idsIn(FINAL_AFTER_SECONDS)]))
}

/** Selects the next step of each merchant that has enough final rows for one. */
function nextSteps(db: Db, reached: readonly Checkpoint[]): Promise<Range[]> {
  const ranges = reached.map(since)
  return db<Range[]>`
    select k.merchant_id, k.after, step.id as up_to
      from ${ranged(ranges)}
     cross join lateral (
       select j.id from journal j where ${within('j', ranges)} order by j.id offset ${STEP_JOURNALS} limit 1) step
     cross join lateral (select j.id from journal j where ${within('j', ranges)} order by j.id desc limit 1) newest
     where step.id <= newest.id - ${idsIn(FINAL_AFTER_SECONDS)}`
}

const since = ({ merchantId, upTo }: Checkpoint): Range => ({ merchantId, after: upTo, upTo: ID_MAX })
