import { type Db, inTransaction, SNAPSHOT } from '../../../../platform/db.ts'
import { sql } from '../../../../platform/sql.ts'
import type { Whose } from '../../../../platform/table.ts'
import { HOUSE } from '../accounts.ts'
import { BALANCES } from '../balances.ts'
import { findStrangers } from '../ledger-questions.ts'
import { beginning, type Checkpoints, NO_CHECKPOINTS } from './checkpoint.ts'
import { type Proof, proveMerchants } from './merchants.ts'
import type { Finding, RowQuestion, StateQuestion } from './question.ts'

/** What a proof found. */
export interface LedgerVerdict {
  /** Whether everything was looked at, and not only what is new since checkpoints. */
  readonly isWhole: boolean
  readonly merchants: number
  /** How many were looked at: all, or those since the checkpoints. */
  readonly journals: number
  readonly moves: number
  readonly accounts: number
  /** The sum of all balances in kobo: zero, or money was made or lost. */
  readonly imbalance: string
  readonly wrong: readonly Wrong[]
}

/** Something that is not as it must be, for people. */
export interface Wrong {
  /** The merchant's code. */
  readonly merchant: string
  readonly reference: string
  readonly what: string
}

export const isClean = (verdict: LedgerVerdict): boolean => verdict.imbalance === '0' && verdict.wrong.length === 0

/** What is asked of the books. */
export interface Questions {
  readonly ofRows: readonly RowQuestion[]
  readonly ofState: readonly StateQuestion[]
}

/** How far a proof has come. */
export interface ProofProgress {
  readonly merchantsDone: number
  readonly merchants: number
  readonly journals: number
}

export interface ProofOptions {
  readonly checkpoints?: Checkpoints
  /** Only the books of these; of all where left out. */
  readonly merchants?: readonly bigint[]
  readonly onProgress?: (progress: ProofProgress) => void
}

/** How merchants are spread: what is asked at once is of those whose rows are together. */
export interface Together {
  readonly of: (merchantId: bigint) => number
  /** Asks something of those of each place. */
  readonly ofEach: <T>(ask: (whose: Whose) => Promise<T>) => Promise<readonly T[]>
}

/** So many merchants are read at once, */
const PAGE_MERCHANTS_MAX = 10_000
/** and so many proven together. */
const MERCHANTS_MAX = 100
const WRONG_TOLD_MAX = 1_000

/**
 * Proves the books, merchant by merchant, since no journal leaves its merchant: from the checkpoints on, or from the
 * beginning. Writes nothing but checkpoints.
 */
export async function prove(
  db: Db,
  questions: Questions,
  together: Together,
  options: ProofOptions = {},
): Promise<LedgerVerdict> {
  const { checkpoints = NO_CHECKPOINTS, merchants, onProgress = () => {} } = options
  const total = await countMerchants(db)
  const wrong: Wrong[] = []
  const count = { merchants: 0, journals: 0, moves: 0, accounts: 0, imbalance: 0n }
  let isWhole = merchants === undefined
  const told = (journals: number): void =>
    onProgress({ merchantsDone: count.merchants, merchants: Math.max(total, count.merchants), journals })
  for await (const some of inSets(db, together, merchants)) {
    const { proven, ...found } = await proveSet(db, questions, checkpoints, some, (journals) =>
      told(count.journals + journals),
    )
    await checkpoints.write(proven)
    isWhole &&= found.isWhole
    wrong.push(...named(some, found.findings))
    count.merchants += some.length
    count.journals += found.journals
    count.moves += found.moves
    count.accounts += found.accounts
    count.imbalance += found.imbalance
    told(count.journals)
  }
  const findings = await askOfState(db, questions, together)
  wrong.push(...named(await selectNamed(db, findings), findings))
  return { isWhole, ...count, imbalance: String(count.imbalance), wrong: wrong.slice(0, WRONG_TOLD_MAX) }
}

/** Asks how things stand, place by place; and whether there is anybody whom nobody knows. */
async function askOfState(db: Db, { ofState }: Questions, together: Together): Promise<readonly Finding[]> {
  const found = await together.ofEach((whose) =>
    inTransaction(db, (tx) => Promise.all(ofState.map((ask) => ask(tx, whose))), SNAPSHOT),
  )
  return [...found.flat(2), ...(await inTransaction(db, findStrangers, SNAPSHOT))]
}

/** All merchants, in sets of those whose rows are together. */
async function* inSets(
  db: Db,
  together: Together,
  only: readonly bigint[] | undefined,
): AsyncGenerator<readonly MerchantName[]> {
  let page: readonly MerchantName[]
  let last = HOUSE - 1n
  do {
    page = await selectMerchants(db, last, only)
    last = page.at(-1)?.id ?? last
    for (const some of Map.groupBy(page, ({ id }) => together.of(id)).values())
      for (let at = 0; at < some.length; at += MERCHANTS_MAX) yield some.slice(at, at + MERCHANTS_MAX)
  } while (page.length === PAGE_MERCHANTS_MAX)
}

interface MerchantName {
  readonly id: bigint
  readonly code: string
}

async function countMerchants(db: Db): Promise<number> {
  const [row] = await db<{ count: bigint }[]>`select count(*) from ${WHO_HAS_BOOKS}`
  return Number(row?.count ?? 0n)
}

/** The merchants; and the house, where it has books of its own. */
const WHO_HAS_BOOKS = sql`(
  select id, code from merchant
  union all
  select ${HOUSE}::bigint, 'house' where exists (select from ${BALANCES} account where merchant_id = ${HOUSE})) somebody`

const selectMerchants = (db: Db, after: bigint, only: readonly bigint[] | undefined): Promise<MerchantName[]> =>
  db<MerchantName[]>`
    select id, code from ${WHO_HAS_BOOKS}
     where id > ${after} and (${only === undefined} or id = any(${(only ?? []).map(String)}::bigint[]))
     order by id limit ${PAGE_MERCHANTS_MAX}`

const selectNamed = (db: Db, findings: readonly Finding[]): Promise<MerchantName[]> =>
  db<
    MerchantName[]
  >`select id, code from ${WHO_HAS_BOOKS} where id = any(${findings.map(({ merchantId }) => String(merchantId))}::bigint[])`

function named(merchants: readonly MerchantName[], findings: readonly Finding[]): readonly Wrong[] {
  const codes = new Map(merchants.map(({ id, code }) => [id, code]))
  return findings.map(({ merchantId, reference, what }) => ({
    merchant: codes.get(merchantId) ?? String(merchantId),
    reference,
    what,
  }))
}

/** What is found since a checkpoint is looked at once more from the beginning before it is told: nobody is woken for nothing. */
async function proveSet(
  db: Db,
  { ofRows }: Questions,
  checkpoints: Checkpoints,
  merchants: readonly MerchantName[],
  onStep: (journals: number) => void,
): Promise<Proof & { readonly isWhole: boolean }> {
  const ids = merchants.map(({ id }) => id)
  const kept = new Map((await checkpoints.read(ids)).map((one) => [one.merchantId, one]))
  const starts = ids.map((id) => kept.get(id) ?? beginning(id))
  const first = {
    ...(await proveMerchants(db, ofRows, starts, onStep)),
    isWhole: starts.every(({ upTo }) => upTo <= 0n),
  }
  const doubtful = new Set(first.findings.map(({ merchantId }) => merchantId))
  const again = starts.flatMap(({ merchantId, upTo }) => (doubtful.has(merchantId) && upTo > 0n ? merchantId : []))
  if (again.length === 0) return first
  const second = await proveMerchants(db, ofRows, again.map(beginning), onStep)
  return {
    ...first,
    findings: [...first.findings.filter(({ merchantId }) => !again.includes(merchantId)), ...second.findings],
    proven: [...first.proven, ...second.proven],
  }
}
