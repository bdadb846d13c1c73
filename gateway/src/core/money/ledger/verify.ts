import { type Db, inTransaction, type Tx } from '../../../platform/db.ts'

/** What a check of the whole ledger found. Clean when `imbalance` is zero and nothing is listed as wrong. */
export interface LedgerVerdict {
  readonly journals: number
  readonly moves: number
  readonly accounts: number
  /** The sum of all balances in kobo: zero, or money was made or lost. */
  readonly imbalance: string
  readonly wrong: readonly string[]
}

/** A question to the whole database, over all merchants; answers what is wrong, in words, a few of many. */
export type LedgerQuestion = (tx: Tx) => Promise<readonly string[]>

export const WRONG_SHOWN_MAX = 20

/**
 * Proves on the whole database that money is conserved: every balance is the sum of its moves, all balances sum to zero,
 * and what each feature asks of the books is so.
 */
export const askLedger = (db: Db, questions: readonly LedgerQuestion[]): Promise<LedgerVerdict> =>
  // One snapshot for all questions: what is posted meanwhile belongs to the next check.
  inTransaction(db, (tx) => verify(tx, questions), 'isolation level repeatable read read only')

export const isClean = (verdict: LedgerVerdict): boolean => verdict.imbalance === '0' && verdict.wrong.length === 0

async function verify(tx: Tx, questions: readonly LedgerQuestion[]): Promise<LedgerVerdict> {
  const [totals] = await tx<{ journals: bigint; moves: bigint; accounts: bigint; imbalance: string }[]>`
    select (select count(*) from journal) as journals,
           (select count(*) from move) as moves,
           (select count(*) from account) as accounts,
           (select coalesce(sum(balance), 0)::text from account) as imbalance`
  const wrong = await Promise.all([...OWN_QUESTIONS, ...questions].map((ask) => ask(tx)))
  return {
    journals: Number(totals?.journals),
    moves: Number(totals?.moves),
    accounts: Number(totals?.accounts),
    imbalance: String(totals?.imbalance),
    wrong: wrong.flat(),
  }
}

const balancesAreSumsOfMoves: LedgerQuestion = async (tx) => {
  const rows = await tx<{ merchantId: bigint; code: string; balance: string; moved: string }[]>`
    select merchant_id, code, coalesce(balance, 0)::text as balance, coalesce(moved, 0)::text as moved
      from account
      full join (
        select merchant_id, code, sum(change) as moved
          from (select merchant_id, source as code, -amount as change from move
                union all
                select merchant_id, target, amount from move) ends
         group by merchant_id, code) moves using (merchant_id, code)
     where coalesce(balance, 0) <> coalesce(moved, 0)
     limit ${WRONG_SHOWN_MAX}`
  return rows.map(
    ({ code, merchantId, balance, moved }) =>
      `account ${code} of merchant ${merchantId} holds ${balance}, its moves sum to ${moved}`,
  )
}

const journalsMoveSomething: LedgerQuestion = async (tx) => {
  const rows = await tx<{ merchantId: bigint; key: string }[]>`
    select merchant_id, key
      from journal
     where not exists (select from move where move.merchant_id = journal.merchant_id and move.journal_id = journal.id)
     limit ${WRONG_SHOWN_MAX}`
  return rows.map(({ key, merchantId }) => `journal ${key} of merchant ${merchantId} moves nothing`)
}

const movesHaveJournals: LedgerQuestion = async (tx) => {
  const rows = await tx<{ merchantId: bigint; journalId: bigint }[]>`
    select distinct merchant_id, journal_id
      from move
     where not exists (select from journal where journal.merchant_id = move.merchant_id and journal.id = move.journal_id)
     limit ${WRONG_SHOWN_MAX}`
  return rows.map(
    ({ merchantId, journalId }) => `moves of merchant ${merchantId} name journal ${journalId}, which does not exist`,
  )
}

/** What the ledger asks of itself. */
const OWN_QUESTIONS: readonly LedgerQuestion[] = [balancesAreSumsOfMoves, journalsMoveSomething, movesHaveJournals]
