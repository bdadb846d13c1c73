import { type LedgerQuestion, WRONG_SHOWN_MAX } from '../../core/money/ledger/index.ts'

/** A settlement is the sum of its transactions. */
const settlementsAreSumsOfTransactions: LedgerQuestion = async (tx) => {
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

/** What is payable is what was collected and has not been settled. */
const payablesAreWhatIsToBeSettled: LedgerQuestion = async (tx) => {
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
              select merchant_id, code, income from split) parts
       group by merchant_id, code
    )
    select merchant_id, code, coalesce(balance, 0)::text as balance, coalesce(owed, 0)::text as owed
      from (select merchant_id, code, balance from account
             where code = 'payable' or code like 'payable/%') a
      full join owed using (merchant_id, code)
     where coalesce(balance, 0) <> coalesce(owed, 0)
     limit ${WRONG_SHOWN_MAX}`
  return rows.map(
    ({ code, merchantId, balance, owed }) =>
      `account ${code} of merchant ${merchantId} holds ${balance}, what is to be settled sums to ${owed}`,
  )
}

/** What must hold of settlements in the books. */
export const settlementQuestions: readonly LedgerQuestion[] = [
  settlementsAreSumsOfTransactions,
  payablesAreWhatIsToBeSettled,
]
