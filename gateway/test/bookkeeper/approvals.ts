import { type Check, naira } from './check.ts'

/** Payouts that left, by the id that their approvals refer to. */
const LEFT = `left_payouts as (
  select merchant_id, id, 'transfer ' || reference as what, amount from transfer where status in ('SUCCESS', 'REVERSED') and batch_id is null
  union all
  select t.merchant_id, t.batch_id, 'batch ' || b.batch_reference, sum(t.amount)
    from transfer t join transfer_batch b on b.merchant_id = t.merchant_id and b.id = t.batch_id
   where t.status in ('SUCCESS', 'REVERSED') group by t.merchant_id, t.batch_id, b.batch_reference
  union all
  select merchant_id, id, 'refund ' || refund_reference, amount from refund where status = 'COMPLETED'
  union all
  select merchant_id, id, 'paycode ' || paycode_reference, amount from paycode where status = 'SUCCESS'
  union all
  select merchant_id, id, 'bill ' || reference, vend_amount from bill_vend where status = 'SUCCESS')`

/** Checks that every payout had the approvals it needed. */
export const APPROVALS: readonly Check[] = [
  {
    name: 'a payout that needs approval has it',
    query: `
      with ${LEFT}
      select l.what || ' of ' || ${naira('l.amount')} || ' has left with ' || count(a.person_id) || ' of ' || r.approvals_needed || ' approvals'
        from approval_request r
        join left_payouts l on l.merchant_id = r.merchant_id and l.id = r.owner_id
        left join approval a on a.merchant_id = r.merchant_id and a.owner_id = r.owner_id and a.verdict = 'APPROVE'
       group by l.what, l.amount, r.approvals_needed
      having count(a.person_id) < r.approvals_needed`,
  },
  {
    name: 'no one refunds to another account alone',
    query: `
      select 'refund ' || r.refund_reference || ' of ' || ${naira('r.amount')} || ' to account ' || r.destination_account_number
             || ', which is not the payer’s, was requested by one person and approved by no one'
        from refund r
        join merchant m on m.id = r.merchant_id
       where r.method = 'ACCOUNT_TRANSFER' and r.status <> 'FAILED' and r.authorize_by is null
         and r.amount >= coalesce((m.approval_policy->>'freeBelow')::bigint, 0)
         and exists (select from audit a
                      where a.merchant_id = r.merchant_id and a.act = 'refund.initiate' and a.reference = r.refund_reference and a.actor like 'person/%')
         and not exists (select from payment p
                          where p.merchant_id = r.merchant_id and p.transaction_id = r.transaction_id
                            and p.payer_account_number = r.destination_account_number)
         and not exists (select from approval_request q where q.merchant_id = r.merchant_id and q.owner_id = r.id)`,
  },
]
