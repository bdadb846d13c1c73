import { type Db, inTransaction } from '../../../../platform/db.ts'
import { sql } from '../../../../platform/sql.ts'
import { HOUSE } from '../accounts.ts'
import { beginning, type Checkpoints, NO_CHECKPOINTS } from './checkpoint.ts'
import { type Proof, proveMerchants, SNAPSHOT } from './merchants.ts'
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
  readonly onProgress?: (progress: ProofProgress) => void
}

/** So many merchants are proven together. */
const MERCHANTS_MAX = 100
const WRONG_TOLD_MAX = 1_000

/**
 * Proves the books, merchant by merchant, since no journal leaves its merchant: from the checkpoints on, or from the
 * beginning. Writes nothing but checkpoints.
 */
export async function prove(db: Db, questions: Questions, options: ProofOptions = {}): Promise<LedgerVerdict> {
  const { checkpoints = NO_CHECKPOINTS, onProgress = () => {} } = options
  const total = await countMerchants(db)
  const wrong: Wrong[] = []
  const count = { merchants: 0, journals: 0, moves: 0, accounts: 0, imbalance: 0n }
  let [last, isWhole] = [HOUSE - 1n, true]
  for (;;) {
    const page = await selectMerchants(db, last)
    if (page.length === 0) break
    last = page.at(-1)?.id ?? last
    const told = (merchantsDone: number, journals: number): void =>
      onProgress({ merchantsDone, merchants: Math.max(total, merchantsDone), journals })
    const { proven, ...found } = await provePage(db, questions, checkpoints, page, (journals) =>
      told(count.merchants, count.journals + journals),
    )
    await checkpoints.write(proven)
    isWhole &&= found.isWhole
    wrong.push(...named(page, found.findings))
    count.merchants += page.length
    count.journals += found.journals
    count.moves += found.moves
    count.accounts += found.accounts
    count.imbalance += found.imbalance
    told(count.merchants, count.journals)
  }
  const state = await inTransaction(db, (tx) => Promise.all(questions.ofState.map((ask) => ask(tx))), SNAPSHOT)
  const findings = state.flat()
  wrong.push(...named(await selectNamed(db, findings), findings))
  return { isWhole, ...count, imbalance: String(count.imbalance), wrong: wrong.slice(0, WRONG_TOLD_MAX) }
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
  select ${HOUSE}::bigint, 'house' where exists (select from account where merchant_id = ${HOUSE})) somebody`

const selectMerchants = (db: Db, after: bigint): Promise<MerchantName[]> =>
  db<MerchantName[]>`select id, code from ${WHO_HAS_BOOKS} where id > ${after} order by id limit ${MERCHANTS_MAX}`

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
async function provePage(
  db: Db,
  { ofRows }: Questions,
  checkpoints: Checkpoints,
  page: readonly MerchantName[],
  onStep: (journals: number) => void,
): Promise<Proof & { readonly isWhole: boolean }> {
  const ids = page.map(({ id }) => id)
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
