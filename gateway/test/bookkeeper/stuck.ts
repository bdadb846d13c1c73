import { type Check, NOW, naira } from './check.ts'

/** Longer than any schedule lets something wait once it is due, and longer than any lease. */
const LATE = `interval '1 day'`

/** Nothing waits for ever. */
export const STUCK: readonly Check[] = [
  {
    name: 'no order is overdue',
    query: `
      select purpose || ' ' || reference || ' is ' || state || ' and was due at ' || due_at
        from rail_order
       where due_at < ${NOW} - ${LATE} and (leased_until is null or leased_until < clock_timestamp())
         and state <> 'HELD'`,
  },
  {
    name: 'nothing waits for an order that is over',
    query: `
      select w.what || ' ' || w.reference || ' of ' || ${naira('w.amount')} || ' waits, but its order is ' || coalesce(lower(o.state), 'missing')
        from (select merchant_id, id, 'transfer' as what, reference, amount from transfer where status = 'PENDING'
              union all
              select merchant_id, id, 'payout', 'KFST' || id, amount from settlement_payout where status = 'DUE'
              union all
              select merchant_id, id, 'bill', reference, vend_amount from bill_vend where status = 'PENDING'
              union all
              select merchant_id, id, 'debit', payment_reference, amount from debit where status = 'PENDING'
              union all
              select merchant_id, order_id, 'return', reference, amount from credit_return where state = 'RETURNING'
              union all
              select merchant_id, id, 'part of a refund', reference, amount from refund_part where status = 'PENDING') w
        left join rail_order o on o.merchant_id = w.merchant_id and o.id = w.id
       where o.state is null or o.state = 'CONCLUDED'`,
  },
  {
    name: 'what two people decided is carried out',
    query: `
      select 'the decision on order ' || d.reference || ' (' || d.verdict || ') was confirmed at ' || d.confirmed_at || ' and is not carried out'
        from order_decision d where d.state = 'CONFIRMED' and d.confirmed_at < ${NOW} - ${LATE}
      union all
      select 'the decision on order ' || d.reference || ' (' || d.verdict || ') cannot be carried out: its payout was booked under this reference'
        from order_decision d
        join rail_order o on o.merchant_id = d.merchant_id and o.id = d.order_id and o.purpose = 'settlement-payout'
        join journal j on j.merchant_id = d.merchant_id and j.key = 'payout/' || d.reference
       where d.state = 'CONFIRMED' and d.verdict = 'succeeded'
      union all
      select 'order ' || reference || ' of ' || ${naira('held')} || ' needs manual review as if it had arrived, but its money came back'
        from rail_order o
       where state = 'UNRESOLVED' and concluded_at is not null
         and exists (select from journal j where j.merchant_id = o.merchant_id and j.key = 'payout/' || o.reference || '/reversed')`,
  },
  {
    name: 'no reconciliation item is stuck',
    query: `
      select 'item ' || i.id || ' of ' || i.partner || ' is CREDITING since its decision was carried out: ' || coalesce(i.note, '')
        from reconciliation_item i
        join reconciliation_decision d on d.partner = i.partner and d.item_id = i.id and d.state = 'CARRIED_OUT'
       where i.state = 'CREDITING' and d.confirmed_at < ${NOW} - ${LATE}
      union all
      select 'credit ' || rail_reference || ' of ' || ${naira('amount')} || ' is to be received since ' || told_at
        from credit_conflict where state = 'TAKING' and told_at < ${NOW} - interval '30 days'`,
  },
  {
    name: 'nothing is overdue that a schedule does',
    query: `
      select w.what || ' was due at ' || w.due
        from (select 'the settlement of ' || transaction_reference as what, settles_at as due from transaction where settles_at is not null
              union all
              select 'the expiry of ' || transaction_reference, expires_at from transaction where completed_at is null
              union all
              select 'the release of a reserve of ' || ${naira('amount')}, releases_at from reserve_lot where released_at is null
              union all
              select 'the end of dispute ' || reference, evidence_due_at from dispute where status = 'OPEN'
              union all
              select 'the expiry of paycode ' || paycode_reference, expires_at from paycode where status = 'PENDING'
              union all
              select 'the expiry of transfer ' || reference, authorize_by from transfer where authorize_by is not null
              union all
              select 'event ' || event_type || ' of ' || refs[1], next_attempt_at from event where status = 'PENDING') w
       where w.due < ${NOW} - ${LATE}`,
  },
  {
    name: 'a closed merchant has nothing open, and receives nothing',
    query: `
      with closed as (
        select merchant_id, at,
               -- A sweep ends what the last requests opened.
               case when at < ${NOW} - interval '15 minutes' then at + interval '15 minutes' else at end as ended_at
          from (select merchant_id, max(at) as at from audit where act = 'merchant.close' group by merchant_id) last)
      select 'number ' || v.account_number || ' of the closed merchant ' || v.merchant_id || ' is open'
        from virtual_account v join closed c on c.merchant_id = v.merchant_id
       where v.purpose <> 'wallet' and v.opened_at <= c.at and (v.closes_at is null or v.closes_at > c.ended_at)
      union all
      select 'mandate ' || m.mandate_code || ' of the closed merchant ' || m.merchant_id || ' is ' || m.status
        from mandate m join closed c on c.merchant_id = m.merchant_id
       where m.created_at <= c.at and m.due_at is not null and m.cancel_requested_at is null
      union all
      select 'payment ' || t.transaction_reference || ' of the closed merchant ' || t.merchant_id || ' is open until ' || t.expires_at
        from transaction t join closed c on c.merchant_id = t.merchant_id
       where t.created_at <= c.at and t.completed_at is null and t.expires_at > c.ended_at
      union all
      select 'credit ' || p.rail_reference || ' of ' || ${naira('p.amount')} || ' was accepted for the closed merchant ' || p.merchant_id
        from payment p join closed c on c.merchant_id = p.merchant_id
        -- A charge that was under way when the merchant was closed may end later.
        left join rail_order o on o.merchant_id = p.merchant_id and o.reference = p.rail_reference
       where coalesce(o.created_at, p.received_at) > c.at + interval '1 minute'`,
  },
]
