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

/** A question to the whole database, over all merchants; answers what is wrong, in words, a few of many. */
type Check = (tx: Tx) => Promise<readonly string[]>

const WRONG_SHOWN_MAX = 20

/** Proves on the whole database that money is conserved: every balance is the sum of its moves, and all balances sum to zero. */
export const verifyLedger = (db: Db): Promise<LedgerVerdict> =>
  // One snapshot for all questions: what is posted meanwhile belongs to the next check.
  inTransaction(db, verify, 'isolation level repeatable read read only')

export const isClean = (verdict: LedgerVerdict): boolean => verdict.imbalance === '0' && verdict.wrong.length === 0

async function verify(tx: Tx): Promise<LedgerVerdict> {
  const [totals] = await tx<{ journals: bigint; moves: bigint; accounts: bigint; imbalance: string }[]>`
    select (select count(*) from journal) as journals,
           (select count(*) from move) as moves,
           (select count(*) from account) as accounts,
           (select coalesce(sum(balance), 0)::text from account) as imbalance`
  const wrong = await Promise.all(CHECKS.map((check) => check(tx)))
  return {
    journals: Number(totals?.journals),
    moves: Number(totals?.moves),
    accounts: Number(totals?.accounts),
    imbalance: String(totals?.imbalance),
    wrong: wrong.flat(),
  }
}

const balancesAreSumsOfMoves: Check = async (tx) => {
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

const journalsMoveSomething: Check = async (tx) => {
  const rows = await tx<{ merchantId: bigint; key: string }[]>`
    select merchant_id, key
      from journal
     where not exists (select from move where move.merchant_id = journal.merchant_id and move.journal_id = journal.id)
     limit ${WRONG_SHOWN_MAX}`
  return rows.map(({ key, merchantId }) => `journal ${key} of merchant ${merchantId} moves nothing`)
}

const movesHaveJournals: Check = async (tx) => {
  const rows = await tx<{ merchantId: bigint; journalId: bigint }[]>`
    select distinct merchant_id, journal_id
      from move
     where not exists (select from journal where journal.merchant_id = move.merchant_id and journal.id = move.journal_id)
     limit ${WRONG_SHOWN_MAX}`
  return rows.map(
    ({ merchantId, journalId }) => `moves of merchant ${merchantId} name journal ${journalId}, which does not exist`,
  )
}

const transactionsAreSumsOfPayments: Check = async (tx) => {
  const rows = await tx<{ transactionReference: string; amountPaid: string; paid: string }[]>`
    select t.transaction_reference, t.amount_paid::text, coalesce(p.paid, 0)::text as paid
      from transaction t
      left join (select merchant_id, transaction_id, sum(amount) as paid from payment group by merchant_id, transaction_id) p
        on p.merchant_id = t.merchant_id and p.transaction_id = t.id
     where t.amount_paid <> coalesce(p.paid, 0)
     limit ${WRONG_SHOWN_MAX}`
  return rows.map(
    ({ transactionReference, amountPaid, paid }) =>
      `transaction ${transactionReference} says ${amountPaid} was paid, its payments sum to ${paid}`,
  )
}

const settlementsAreSumsOfTransactions: Check = async (tx) => {
  const rows = await tx<{ settlementReference: string; amount: string; settled: string; count: number }[]>`
    select s.settlement_reference, s.amount::text, coalesce(i.income, 0)::text as settled, coalesce(i.count, 0)::integer as count
      from settlement s
      left join (select merchant_id, settlement_id, sum(share - fee) as income, count(*)
                   from settlement_item group by merchant_id, settlement_id) i
        on i.merchant_id = s.merchant_id and i.settlement_id = s.id
     where s.amount <> coalesce(i.income, 0) or s.transactions_count <> coalesce(i.count, 0)
     limit ${WRONG_SHOWN_MAX}`
  return rows.map(
    ({ settlementReference, amount, count, settled }) =>
      `settlement ${settlementReference} is of ${amount}, its ${count} transactions sum to ${settled}`,
  )
}

const payablesAreWhatIsToBeSettled: Check = async (tx) => {
  const rows = await tx<{ merchantId: bigint; code: string; balance: string; owed: string }[]>`
    with unsettled as materialized (
      select merchant_id, id, amount_paid - fee as income
        from transaction t
       where amount_paid > 0
         and not exists (select from settlement_item i where i.merchant_id = t.merchant_id and i.transaction_id = t.id)
    ), split as materialized (
      select p.merchant_id, 'payable/' || s."subAccountCode" as code, s.share - s.fee as income
        from payment p
        join unsettled t on t.merchant_id = p.merchant_id and t.id = p.transaction_id
       cross join lateral json_to_recordset(p.splits) as s ("subAccountCode" text, share bigint, fee bigint)
       where p.splits is not null
    ), owed as (
      select merchant_id, code, sum(income) as owed
        from (select merchant_id, 'payable' as code, income from unsettled
              union all
              select merchant_id, 'payable', -income from split
              union all
              select merchant_id, code, income from split
              union all
              select merchant_id, case beneficiary_type when 'MERCHANT' then 'settling' else 'settling/' || beneficiary_code end, amount
                from settlement_payout where status <> 'COMPLETED') parts
       group by merchant_id, code
    )
    select merchant_id, code, coalesce(balance, 0)::text as balance, coalesce(owed, 0)::text as owed
      from (select merchant_id, code, balance from account
             where code in ('payable', 'settling') or code like 'payable/%' or code like 'settling/%') a
      full join owed using (merchant_id, code)
     where coalesce(balance, 0) <> coalesce(owed, 0)
     limit ${WRONG_SHOWN_MAX}`
  return rows.map(
    ({ code, merchantId, balance, owed }) =>
      `account ${code} of merchant ${merchantId} holds ${balance}, what is to be settled sums to ${owed}`,
  )
}

const CHECKS: readonly Check[] = [
  balancesAreSumsOfMoves,
  journalsMoveSomething,
  movesHaveJournals,
  transactionsAreSumsOfPayments,
  settlementsAreSumsOfTransactions,
  payablesAreWhatIsToBeSettled,
]
