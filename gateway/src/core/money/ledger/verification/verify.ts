import { HOUSE } from '../../../../kernel/house.ts'
import { type Db, inTransaction, SNAPSHOT } from '../../../../platform/postgres/db.ts'
import { sql } from '../../../../platform/postgres/sql.ts'
import type { MerchantScope } from '../../../../platform/postgres/table.ts'

import { BALANCES } from '../balances.ts'
import { findUnknownMerchants } from '../ledger-checks.ts'
import type { Finding, LedgerCheck, RowCheck, StateCheck } from './check.ts'
import { type Checkpoints, emptyCheckpoint, NO_CHECKPOINTS } from './checkpoint.ts'
import { type Verification, verifyMerchants } from './merchants.ts'

export interface LedgerVerdict {
  /** Whether everything was checked, or only what is new since the checkpoints. */
  readonly isWhole: boolean
  readonly merchants: number
  /** The numbers of rows that were checked. */
  readonly journals: number
  readonly moves: number
  readonly accounts: number
  /** The sum of all balances in kobo: zero, unless money was created or lost. */
  readonly imbalance: string
  readonly wrong: readonly Wrong[]
}

/** A finding with its merchant's code. */
export interface Wrong {
  readonly merchant: string
  readonly reference: string
  readonly what: string
}

export const isClean = (verdict: LedgerVerdict): boolean => verdict.imbalance === '0' && verdict.wrong.length === 0

export interface VerificationProgress {
  readonly merchantsDone: number
  readonly merchants: number
  readonly journals: number
}

export interface VerificationOptions {
  readonly checkpoints?: Checkpoints
  /** Only these merchants; all by default. */
  readonly merchants?: readonly bigint[]
  readonly onProgress?: (progress: VerificationProgress) => void
}

/** How merchants are spread over shards. No query may span two shards. */
export interface ShardScopes {
  readonly of: (merchantId: bigint) => number
  /** Runs a function on each shard. */
  readonly ofEach: <T>(run: (whose: MerchantScope) => Promise<T>) => Promise<readonly T[]>
}

/** At most this many merchants are read per page. */
const PAGE_MERCHANTS_MAX = 10_000
/** At most this many merchants are verified together. */
const MERCHANTS_MAX = 100
const WRONG_SHOWN_MAX = 1_000

/**
 * Verifies the ledger merchant by merchant, from the checkpoints or from the start. No journal spans two merchants.
 * Writes only checkpoints.
 */
export async function verifyAllMerchants(
  db: Db,
  ledgerChecks: readonly LedgerCheck[],
  shardScopes: ShardScopes,
  options: VerificationOptions = {},
): Promise<LedgerVerdict> {
  const { checkpoints = NO_CHECKPOINTS, merchants, onProgress = () => {} } = options
  const rowChecks = ledgerChecks.filter((check) => typeof check !== 'function')
  const stateChecks = ledgerChecks.filter((check) => typeof check === 'function')
  const total = await countMerchants(db)
  const wrong: Wrong[] = []
  const count = { merchants: 0, journals: 0, moves: 0, accounts: 0, imbalance: 0n }
  let isWhole = merchants === undefined
  const report = (journals: number): void =>
    onProgress({ merchantsDone: count.merchants, merchants: Math.max(total, count.merchants), journals })
  for await (const some of inBatches(db, shardScopes, merchants)) {
    const { verified, ...found } = await verifyPage(db, rowChecks, checkpoints, some, (journals) =>
      report(count.journals + journals),
    )
    await checkpoints.write(verified)
    isWhole &&= found.isWhole
    wrong.push(...named(some, found.findings))
    count.merchants += some.length
    count.journals += found.journals
    count.moves += found.moves
    count.accounts += found.accounts
    count.imbalance += found.imbalance
    report(count.journals)
  }
  const findings = await runStateChecks(db, stateChecks, shardScopes)
  wrong.push(...named(await selectNamed(db, findings), findings))
  return { isWhole, ...count, imbalance: String(count.imbalance), wrong: wrong.slice(0, WRONG_SHOWN_MAX) }
}

/** Runs the checks of the current state, shard by shard, and looks for ledger rows without an owner. */
async function runStateChecks(
  db: Db,
  checks: readonly StateCheck[],
  shardScopes: ShardScopes,
): Promise<readonly Finding[]> {
  const found = await shardScopes.ofEach((whose) =>
    inTransaction(db, (tx) => Promise.all(checks.map((check) => check(tx, whose))), SNAPSHOT),
  )
  return [...found.flat(2), ...(await inTransaction(db, findUnknownMerchants, SNAPSHOT))]
}

/** Reads all merchants, in batches of merchants on the same shard. */
async function* inBatches(
  db: Db,
  shardScopes: ShardScopes,
  only: readonly bigint[] | undefined,
): AsyncGenerator<readonly MerchantName[]> {
  let page: readonly MerchantName[]
  let last = HOUSE - 1n
  do {
    page = await selectMerchants(db, last, only)
    last = page.at(-1)?.id ?? last
    for (const some of Map.groupBy(page, ({ id }) => shardScopes.of(id)).values())
      for (let at = 0; at < some.length; at += MERCHANTS_MAX) yield some.slice(at, at + MERCHANTS_MAX)
  } while (page.length === PAGE_MERCHANTS_MAX)
}

interface MerchantName {
  readonly id: bigint
  readonly code: string
}

async function countMerchants(db: Db): Promise<number> {
  const [row] = await db<{ count: bigint }[]>`select count(*) from ${MERCHANTS_WITH_JOURNALS}`
  return Number(row?.count ?? 0n)
}

/** The merchants, and Kobo's own account if it has ledger rows. */
const MERCHANTS_WITH_JOURNALS = sql`(
  select id, code from merchant
  union all
  select ${HOUSE}::bigint, 'house' where exists (select from ${BALANCES} account where merchant_id = ${HOUSE})) owner`

const selectMerchants = (db: Db, after: bigint, only: readonly bigint[] | undefined): Promise<MerchantName[]> =>
  db<MerchantName[]>`
    select id, code from ${MERCHANTS_WITH_JOURNALS}
     where id > ${after} and (${only === undefined} or id = any(${(only ?? []).map(String)}::bigint[]))
     order by id limit ${PAGE_MERCHANTS_MAX}`

const selectNamed = (db: Db, findings: readonly Finding[]): Promise<MerchantName[]> =>
  db<
    MerchantName[]
  >`select id, code from ${MERCHANTS_WITH_JOURNALS} where id = any(${findings.map(({ merchantId }) => String(merchantId))}::bigint[])`

function named(merchants: readonly MerchantName[], findings: readonly Finding[]): readonly Wrong[] {
  const codes = new Map(merchants.map(({ id, code }) => [id, code]))
  return findings.map(({ merchantId, reference, what }) => ({
    merchant: codes.get(merchantId) ?? String(merchantId),
    reference,
    what,
  }))
}

/**
 * Verifies a page of merchants. To avoid false alarms, a finding is reported only if a verification from the start
 * confirms it.
 */
async function verifyPage(
  db: Db,
  checks: readonly RowCheck[],
  checkpoints: Checkpoints,
  merchants: readonly MerchantName[],
  onStep: (journals: number) => void,
): Promise<Verification & { readonly isWhole: boolean }> {
  const ids = merchants.map(({ id }) => id)
  const stored = new Map((await checkpoints.read(ids)).map((one) => [one.merchantId, one]))
  const starts = ids.map((id) => stored.get(id) ?? emptyCheckpoint(id))
  const first = {
    ...(await verifyMerchants(db, checks, starts, onStep)),
    isWhole: starts.every(({ upTo }) => upTo <= 0n),
  }
  const doubtful = new Set(first.findings.map(({ merchantId }) => merchantId))
  const recheck = starts.flatMap(({ merchantId, upTo }) => (doubtful.has(merchantId) && upTo > 0n ? merchantId : []))
  if (recheck.length === 0) return first
  const second = await verifyMerchants(db, checks, recheck.map(emptyCheckpoint), onStep)
  return {
    ...first,
    findings: [...first.findings.filter(({ merchantId }) => !recheck.includes(merchantId)), ...second.findings],
    verified: [...first.verified, ...second.verified],
  }
}
