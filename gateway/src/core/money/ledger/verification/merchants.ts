import { idsIn } from '../../../../kernel/ids.ts'
import { type Db, inTransaction, SNAPSHOT, type Tx } from '../../../../platform/postgres/db.ts'
import { findWrongBalances } from './balances.ts'
import { type Finding, ID_MAX, type Range, type RowCheck, ranged, within } from './check.ts'
import type { Checkpoint } from './checkpoint.ts'
import { type Looked, lookAt } from './run-checks.ts'

/** The result of verifying some merchants. */
export interface Proof {
  readonly findings: readonly Finding[]
  /** Checkpoints of merchants without findings. */
  readonly proven: readonly Checkpoint[]
  readonly journals: number
  readonly moves: number
  readonly accounts: number
  /** The sum of all balances of these merchants. */
  readonly imbalance: bigint
}

/** If there are more journals than this since a checkpoint, they are verified in steps, each in its own snapshot. */
const STEP_JOURNALS = 2_000
/**
 * Journals that are this much older than the merchant's newest one are final. No open transaction can still add an
 * older id: queries end after a minute, and a node with a wrong clock does not work.
 */
const REST_SECONDS = 900
/** A checkpoint with more open rows than this is not stored. */
const OPEN_MAX = 10_000

/** Verifies merchants from their checkpoints: first final rows in steps, then all rows up to now. */
export async function verifyMerchants(
  db: Db,
  checks: readonly RowCheck[],
  starts: readonly Checkpoint[],
  onStep: (journals: number) => void,
): Promise<Proof> {
  const findings: Finding[] = []
  let [journals, moves] = [0, 0]
  let present = starts
  for (let steps = await nextSteps(db, present); steps.length > 0; steps = await nextSteps(db, present)) {
    const looked = await inTransaction(db, (tx) => lookAt(tx, checks, { ranges: steps }), SNAPSHOT)
    present = present.map((at) => {
      const step = steps.find(({ merchantId }) => merchantId === at.merchantId)
      return step === undefined ? at : after(at, looked, step.upTo)
    })
    findings.push(...looked.findings)
    journals += looked.journals
    moves += looked.moves
    onStep(journals)
  }
  const now = await inTransaction(db, (tx) => verifyNow(tx, checks, starts, present), SNAPSHOT)
  findings.push(...now.findings)
  const isDoubtful = new Set(findings.map(({ merchantId }) => merchantId))
  return {
    ...now,
    findings,
    proven: now.proven.filter(({ merchantId }) => !isDoubtful.has(merchantId)),
    journals: journals + now.journals,
    moves: moves + now.moves,
  }
}

/** Verifies all rows up to now, in one snapshot. */
async function verifyNow(
  tx: Tx,
  checks: readonly RowCheck[],
  starts: readonly Checkpoint[],
  present: readonly Checkpoint[],
): Promise<Proof> {
  const rests = await findRests(tx, present)
  const ranges = present.flatMap(({ merchantId, upTo }): Range[] => {
    const rest = rests.get(merchantId) ?? upTo
    return rest > upTo
      ? [
          { merchantId, after: upTo, upTo: rest },
          { merchantId, after: rest, upTo: ID_MAX },
        ]
      : [{ merchantId, after: upTo, upTo: ID_MAX }]
  })
  const news = starts.map(({ merchantId, upTo }) => ({ merchantId, after: upTo, upTo: ID_MAX }))
  const looked = await lookAt(tx, checks, { ranges, news, open: present })
  const balances = await findWrongBalances(
    tx,
    present.map((at) => after(at, looked, ID_MAX)),
    looked.held,
  )
  const proven = present.map((at) => after({ ...at, open: new Map() }, looked, rests.get(at.merchantId) ?? at.upTo))
  return {
    ...balances,
    journals: looked.journals,
    moves: looked.moves,
    findings: [...looked.findings, ...balances.findings],
    proven: proven.filter(({ open }) => [...open.values()].every(({ length }) => length <= OPEN_MAX)),
  }
}

/** Adds the verified rows up to an id to a checkpoint. */
function after(at: Checkpoint, { sums, open }: Looked, upTo: bigint): Checkpoint {
  const moved = new Map(at.sums)
  for (const sum of sums)
    if (sum.merchantId === at.merchantId && sum.upTo <= upTo)
      moved.set(sum.code, (moved.get(sum.code) ?? 0n) + sum.moved)
  const left = new Map(at.open)
  for (const [name, rows] of open) {
    const ids = rows.flatMap(({ merchantId, id }) => (merchantId === at.merchantId && id <= upTo ? id : []))
    if (ids.length > 0) left.set(name, [...new Set([...(left.get(name) ?? []), ...ids])])
  }
  return { merchantId: at.merchantId, upTo: upTo > at.upTo ? upTo : at.upTo, sums: moved, open: left }
}

async function findRests(tx: Tx, present: readonly Checkpoint[]): Promise<ReadonlyMap<bigint, bigint>> {
  const ranges = present.map(since)
  const rows = await tx<{ merchantId: bigint; newest: bigint }[]>`
    select k.merchant_id, newest.id as newest
      from ${ranged(ranges)}
     cross join lateral (select j.id from journal j where ${within('j', ranges)} order by j.id desc limit 1) newest`
  return new Map(rows.map(({ merchantId, newest }) => [merchantId, newest - idsIn(REST_SECONDS)]))
}

/** The next step of each merchant that has enough final rows for a step. */
function nextSteps(db: Db, present: readonly Checkpoint[]): Promise<Range[]> {
  const ranges = present.map(since)
  return db<Range[]>`
    select k.merchant_id, k.after, step.id as up_to
      from ${ranged(ranges)}
     cross join lateral (
       select j.id from journal j where ${within('j', ranges)} order by j.id offset ${STEP_JOURNALS} limit 1) step
     cross join lateral (select j.id from journal j where ${within('j', ranges)} order by j.id desc limit 1) newest
     where step.id <= newest.id - ${idsIn(REST_SECONDS)}`
}

const since = ({ merchantId, upTo }: Checkpoint): Range => ({ merchantId, after: upTo, upTo: ID_MAX })
