import { type Db, inTransaction, type Tx } from '../../platform/db.ts'

/** What a check of the whole ledger found. Clean when `imbalance` is zero and nothing is listed as wrong. */
export interface LedgerVerdict {
  readonly journals: number
  readonly moves: number
  readonly accounts: number
  /** The sum of all balances in kobo: zero, or money was made or lost. */
  readonly imbalance: string
  readonly wrong: readonly string[]
}

const WRONG_SHOWN_MAX = 20

/** Proves on the whole database that money is conserved: every balance is the sum of its moves, and all balances sum to zero. */
export const verifyLedger = (db: Db): Promise<LedgerVerdict> =>
  // One snapshot for all four questions: what is posted meanwhile belongs to the next check.
  inTransaction(db, verify, 'isolation level repeatable read read only')

async function verify(tx: Tx): Promise<LedgerVerdict> {
  const [totals] = await tx<{ journals: bigint; moves: bigint; accounts: bigint; imbalance: string }[]>`
    select (select count(*) from journal) as journals,
           (select count(*) from move) as moves,
           (select count(*) from account) as accounts,
           (select coalesce(sum(balance), 0)::text from account) as imbalance`
  const balances = await tx<{ merchantId: bigint; code: string; balance: string; moved: string }[]>`
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
  const empty = await tx<{ merchantId: bigint; key: string }[]>`
    select merchant_id, key
      from journal
     where not exists (select from move where move.merchant_id = journal.merchant_id and move.journal_id = journal.id)
     limit ${WRONG_SHOWN_MAX}`
  const unpaid = await tx<{ merchantId: bigint; transactionReference: string; amountPaid: string; paid: string }[]>`
    select t.merchant_id, t.transaction_reference, t.amount_paid::text, coalesce(p.paid, 0)::text as paid
      from transaction t
      left join (select merchant_id, transaction_id, sum(amount) as paid from payment group by merchant_id, transaction_id) p
        on p.merchant_id = t.merchant_id and p.transaction_id = t.id
     where t.amount_paid <> coalesce(p.paid, 0)
     limit ${WRONG_SHOWN_MAX}`
  return {
    journals: Number(totals?.journals),
    moves: Number(totals?.moves),
    accounts: Number(totals?.accounts),
    imbalance: String(totals?.imbalance),
    wrong: [
      ...balances.map(
        (row) =>
          `account ${row.code} of merchant ${row.merchantId} holds ${row.balance}, its moves sum to ${row.moved}`,
      ),
      ...empty.map((row) => `journal ${row.key} of merchant ${row.merchantId} moves nothing`),
      ...unpaid.map(
        (row) =>
          `transaction ${row.transactionReference} says ${row.amountPaid} was paid, its payments sum to ${row.paid}`,
      ),
    ],
  }
}

export const isClean = (verdict: LedgerVerdict): boolean => verdict.imbalance === '0' && verdict.wrong.length === 0
