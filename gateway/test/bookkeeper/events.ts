import { type Check, naira } from './check.ts'

/** Events with their bodies. Seeded histories and events whose bodies were dropped have none. */
const EVENTS = `events as (
  select e.merchant_id, e.event_type, e.refs[1] as reference, e.body::json->'eventData' as data
    from event e
   where e.body like '{%'
     and not exists (select from event_bodies_dropped d where d.merchant_id = e.merchant_id)
     and not exists (select from seeded_history h where h.merchant_id = e.merchant_id))`

/** Whether a merchant still has all its events. */
const isWhole = (row: string): string =>
  `not exists (select from event_bodies_dropped d where d.merchant_id = ${row}.merchant_id)
   and not exists (select from seeded_history h where h.merchant_id = ${row}.merchant_id)`

const kobo = (json: string): string => `round((${json})::numeric * 100)`

/** Compares the number of events of a type for each reference with the number that the state asks for. */
const counted = (name: string, what: string, due: string): Check => ({
  name,
  query: `
    with ${EVENTS}, due as (${due}), sent as (
      select merchant_id, event_type, reference, count(*) as count from events group by merchant_id, event_type, reference)
    select '${what} ' || d.reference || ' is ' || d.state || ', which asks for ' || d.count || ' ' || d.event_type || ', but '
           || coalesce(s.count, 0) || ' were written'
      from due d
      left join sent s on s.merchant_id = d.merchant_id and s.event_type = d.event_type and s.reference = d.reference
     where coalesce(s.count, 0) <> d.count and ${isWhole('d')}`,
})

/** Checks that each change of state has exactly one event, with the right amounts. */
export const EVENTS_MATCH: readonly Check[] = [
  counted(
    'one event per payment',
    'transaction',
    `select t.merchant_id, t.transaction_reference as reference, t.status as state, 'SUCCESSFUL_TRANSACTION' as event_type, count(p.id) as count
       from transaction t
       left join payment p on p.merchant_id = t.merchant_id and p.transaction_id = t.id
      group by t.merchant_id, t.transaction_reference, t.status`,
  ),
  counted(
    'one event per outcome of a transfer',
    'transfer',
    `select t.merchant_id, t.reference, t.status as state, e.event_type, e.count
       from transfer t
      cross join lateral (values
        ('SUCCESSFUL_DISBURSEMENT', case when t.status in ('SUCCESS', 'REVERSED') then 1 else 0 end),
        ('FAILED_DISBURSEMENT', case when t.status in ('FAILED', 'EXPIRED') then 1 else 0 end),
        ('REVERSED_DISBURSEMENT', case when t.status = 'REVERSED' then 1 else 0 end)) e (event_type, count)
      where not t.is_duplicate`,
  ),
  counted(
    'one event per outcome of a refund',
    'refund',
    `select r.merchant_id, r.refund_reference as reference, r.status as state, e.event_type, e.count
       from refund r
      cross join lateral (values
        ('SUCCESSFUL_REFUND', case when r.status = 'COMPLETED' then 1 else 0 end),
        ('FAILED_REFUND', case when r.status = 'FAILED' then 1 else 0 end)) e (event_type, count)`,
  ),
  counted(
    'one event per step of a dispute',
    'dispute',
    `select d.merchant_id, d.reference, d.status as state, e.event_type, e.count
       from dispute d
      cross join lateral (values
        ('DISPUTE_OPENED', 1),
        ('DISPUTE_WON', case when d.status = 'WON' then 1 else 0 end),
        ('DISPUTE_LOST', case when d.status in ('LOST', 'ACCEPTED') then 1 else 0 end)) e (event_type, count)`,
  ),
  {
    name: 'one event per settlement that arrived',
    query: `
      with ${EVENTS}
      select 'settlement ' || s.settlement_reference || ' is ' || s.status || ', but ' || e.count || ' SETTLEMENT were written'
        from settlement s
       cross join lateral (
         select count(*) as count from events e
          where e.merchant_id = s.merchant_id and e.event_type = 'SETTLEMENT' and e.reference = s.settlement_reference) e
       where ${isWhole('s')}
         -- a payout that came back sends the event again once it arrives
         and (e.count = 0 and s.status = 'COMPLETED' or e.count > 1 + (
           select count(*) from settlement_payout p
             join journal j on j.merchant_id = p.merchant_id and j.key like 'payout/KFST' || p.id || '%/reversed'
            where p.merchant_id = s.merchant_id and p.settlement_id = s.id and p.beneficiary_type = 'MERCHANT'))`,
  },
  {
    name: 'events name the amounts of the books',
    query: `
      with ${EVENTS}, told as (
        select e.event_type, e.reference, ${kobo(`e.data->>'amount'`)} as said, s.amount as booked
          from events e join settlement s on s.merchant_id = e.merchant_id and s.settlement_reference = e.reference
         where e.event_type = 'SETTLEMENT'
        union all
        select e.event_type, e.reference, ${kobo(`e.data->>'refundAmount'`)}, r.amount
          from events e join refund r on r.merchant_id = e.merchant_id and r.refund_reference = e.reference
         where e.event_type in ('SUCCESSFUL_REFUND', 'FAILED_REFUND')
        union all
        select e.event_type, e.reference, ${kobo(`e.data->>'amount'`)}, t.amount
          from events e join transfer t on t.merchant_id = e.merchant_id and t.reference = e.reference and not t.is_duplicate
         where e.event_type like '%_DISBURSEMENT'
        union all
        select e.event_type, e.reference, ${kobo(`e.data->>'disputeAmount'`)}, d.amount
          from events e join dispute d on d.merchant_id = e.merchant_id and d.reference = e.reference
         where e.event_type like 'DISPUTE_%'
        union all
        -- a transaction's events count up with its payments, so the last one has the whole sum
        select 'SUCCESSFUL_TRANSACTION', t.transaction_reference, max(${kobo(`e.data->>'amountPaid'`)}), t.amount_paid
          from transaction t
          join events e on e.merchant_id = t.merchant_id and e.event_type = 'SUCCESSFUL_TRANSACTION' and e.reference = t.transaction_reference
         group by t.merchant_id, t.transaction_reference, t.amount_paid)
      select event_type || ' of ' || reference || ' says ' || ${naira('said')} || ', but the books say ' || ${naira('booked')}
        from told where said <> booked`,
  },
  {
    name: 'one event per line of a wallet, with its balances',
    query: `
      with ${EVENTS}, told as (
        select merchant_id, data->>'accountNumber' as account_number, ${kobo(`data->>'balanceBefore'`)} as balance_before,
               ${kobo(`data->>'balanceAfter'`)} as balance_after, count(*) as count
          from events where event_type = 'ACCOUNT_ACTIVITY' group by 1, 2, 3, 4
      ), lines as (
        select merchant_id, account_number, balance_before, balance_after, count(*) as count
          from wallet_entry w where ${isWhole('w')} group by 1, 2, 3, 4)
      select 'wallet ' || account_number || ' went from ' || ${naira('balance_before')} || ' to ' || ${naira('balance_after')} || ' '
             || coalesce(l.count, 0) || ' times, but ' || coalesce(t.count, 0) || ' events say so'
        from lines l full join told t using (merchant_id, account_number, balance_before, balance_after)
       where coalesce(l.count, 0) <> coalesce(t.count, 0)`,
  },
]
