import { BALANCES, type Check, naira } from './check.ts'

/** Checks of incoming payments and their refunds. */
export const COLLECTIONS: readonly Check[] = [
  {
    name: 'a transaction is what its payments say',
    query: `
      with paid as (
        select merchant_id, transaction_id, sum(amount) as amount, sum(fee) as fee from payment group by merchant_id, transaction_id)
      select 'transaction ' || t.transaction_reference || ' is ' || t.status || ' with ' || ${naira('t.amount_paid')} || ' of '
             || ${naira('t.payable')} || ' and a fee of ' || ${naira('t.fee')} || ', but its payments sum to '
             || ${naira('coalesce(p.amount, 0)')} || ' with fees of ' || ${naira('coalesce(p.fee, 0)')}
        from transaction t
        left join paid p on p.merchant_id = t.merchant_id and p.transaction_id = t.id
       where t.amount_paid <> coalesce(p.amount, 0) or t.fee <> coalesce(p.fee, 0)
          or t.status <> case when t.amount_paid = 0 then case when t.status in ('PENDING', 'EXPIRED', 'FAILED', 'CANCELLED') then t.status else 'PENDING' end
                              when t.amount_paid < t.payable then 'PARTIALLY_PAID'
                              when t.amount_paid = t.payable then 'PAID' else 'OVERPAID' end
      union all
      select 'payment ' || p.rail_reference || ' of ' || ${naira('p.amount')} || ' has no transaction'
        from payment p
       where not exists (select from transaction t where t.merchant_id = p.merchant_id and t.id = p.transaction_id)`,
  },
  {
    name: 'a card or an account was debited for what its payment says',
    query: `
      select 'card charge ' || a.reference || ' of ' || ${naira('a.amount')} || ' is ' || a.status || ', but ' || ${naira('coalesce(p.amount, 0)')} || ' was paid'
        from card_attempt a
        left join payment p on p.merchant_id = a.merchant_id and p.rail_reference = a.reference
       where coalesce(p.amount, 0) <> case a.status when 'APPROVED' then a.amount else 0 end
      union all
      select 'debit ' || d.payment_reference || ' of ' || ${naira('d.amount')} || ' is ' || d.status || ', but ' || ${naira('coalesce(p.amount, 0)')} || ' was paid'
        from debit d
        left join payment p on p.merchant_id = d.merchant_id and p.rail_reference = d.transaction_reference
       where coalesce(p.amount, 0) <> case d.status when 'PAID' then d.amount else 0 end`,
  },
  {
    name: 'payable is the amount collected and not yet settled',
    query: `
      with ${BALANCES}, unsettled as (
        select t.merchant_id, t.id, t.amount_paid - t.fee as income from transaction t
         where not exists (select from settlement_item i where i.merchant_id = t.merchant_id and i.transaction_id = t.id)
      ), split as (
        select p.merchant_id, s."subAccountCode" as code, s.share - s.fee as income
          from payment p
          join unsettled t on t.merchant_id = p.merchant_id and t.id = p.transaction_id
         cross join lateral json_to_recordset(p.splits) as s ("subAccountCode" text, share bigint, fee bigint)
      ), owed as (
        select merchant_id, code, sum(income) as amount
          from (select merchant_id, 'payable' as code, income from unsettled
                union all
                select merchant_id, 'payable', -income from split
                union all
                select merchant_id, 'payable/' || code, income from split) parts
         group by merchant_id, code)
      select 'account ' || code || ' of merchant ' || merchant_id || ' holds ' || ${naira('coalesce(balance, 0)')}
             || ', but unsettled collections sum to ' || ${naira('coalesce(amount, 0)')}
        from (select merchant_id, code, balance from balances where code = 'payable' or code like 'payable/%') b
        full join owed using (merchant_id, code)
       where coalesce(balance, 0) <> coalesce(amount, 0)`,
  },
  {
    name: 'no more is refunded and disputed than was paid',
    query: `
      with gone as (
        select merchant_id, transaction_id, sum(amount) as amount
          from (select merchant_id, transaction_id, amount from refund r where status <> 'FAILED'
                   and not exists (select from refund_part p where p.merchant_id = r.merchant_id and p.refund_id = r.id)
                union all
                -- a part that failed may be refunded again while the others are under way
                select p.merchant_id, r.transaction_id, p.amount
                  from refund_part p join refund r on r.merchant_id = p.merchant_id and r.id = p.refund_id
                 where p.status <> 'FAILED'
                union all
                select merchant_id, transaction_id, amount from dispute where status <> 'WON') away
         group by merchant_id, transaction_id)
      select 'refunds and disputes of transaction ' || t.transaction_reference || ' sum to ' || ${naira('g.amount')} || ', but '
             || ${naira('t.amount_paid')} || ' was paid'
        from gone g
        join transaction t on t.merchant_id = g.merchant_id and t.id = g.transaction_id
       where g.amount > t.amount_paid
      union all
      select 'refunds and disputes of payment ' || p.rail_reference || ' sum to ' || ${naira('g.amount')} || ', but ' || ${naira('p.amount')} || ' was paid'
        from payment p
        join (select merchant_id, payment_id, sum(amount) as amount
                from (select merchant_id, payment_id, amount from refund where status <> 'FAILED' and payment_id is not null
                      union all
                      select merchant_id, payment_id, amount from refund_part where status <> 'FAILED'
                      union all
                      select merchant_id, payment_id, amount from dispute where status <> 'WON') away
               group by merchant_id, payment_id) g on g.merchant_id = p.merchant_id and g.payment_id = p.id
       where g.amount > p.amount`,
  },
  {
    name: 'a refund is what its parts say',
    query: `
      with parts as (
        select merchant_id, refund_id, bool_or(status = 'PENDING') as is_open,
               sum(amount) filter (where status = 'COMPLETED') as arrived, sum(amount) as amount
          from refund_part group by merchant_id, refund_id)
      select 'refund ' || r.refund_reference || ' of ' || ${naira('r.amount')} || ' is ' || r.status || ', but '
             || ${naira('coalesce(p.arrived, 0)')} || ' of its parts arrived'
        from refund r
        join parts p on p.merchant_id = r.merchant_id and p.refund_id = r.id
       where r.status <> case when p.is_open then 'PENDING' when p.arrived > 0 then 'COMPLETED' else 'FAILED' end
          or r.amount <> case when p.is_open or p.arrived is null then p.amount else p.arrived end`,
  },
  {
    name: 'debts are what disputes and charges left uncovered, less repayments',
    query: `
      with ${BALANCES}, repaid as (
        select merchant_id, debt_id, sum(amount) as amount from debt_repayment group by merchant_id, debt_id)
      select 'debt ' || d.reference || ' of ' || ${naira('d.amount')} || ' says that ' || ${naira('d.repaid')} || ' is repaid, but its repayments sum to '
             || ${naira('coalesce(r.amount, 0)')}
        from merchant_debt d
        left join repaid r on r.merchant_id = d.merchant_id and r.debt_id = d.id
       where d.repaid <> coalesce(r.amount, 0)
      union all
      select 'dispute ' || p.reference || ' left ' || ${naira('p.from_debt')} || ' uncovered, but the debt is ' || ${naira('coalesce(d.amount, 0)')}
        from dispute p
        left join merchant_debt d on d.merchant_id = p.merchant_id and d.id = p.id
       where p.from_debt <> coalesce(d.amount, 0)
      union all
      select 'charge ' || c.reference || ' left ' || ${naira('c.amount - c.from_wallet')} || ' uncovered, but the debt is ' || ${naira('coalesce(d.amount, 0)')}
        from merchant_charge c
        left join merchant_debt d on d.merchant_id = c.merchant_id and d.id = c.id
       where c.amount - c.from_wallet <> coalesce(d.amount, 0)
      union all
      select 'merchant ' || merchant_id || ' owes ' || ${naira('coalesce(owed, 0)')} || ', but its account debt is at ' || ${naira('coalesce(balance, 0)')}
        from (select merchant_id, balance from balances where code = 'debt') b
        full join (select merchant_id, sum(amount - repaid) as owed from merchant_debt group by merchant_id) d using (merchant_id)
       where coalesce(balance, 0) <> -coalesce(owed, 0)`,
  },
  {
    name: 'reserves are what settlements kept back and disputes have not taken',
    query: `
      with ${BALANCES}
      select 'merchant ' || merchant_id || ' has ' || ${naira('coalesce(kept, 0)')} || ' in reserve, but its account holds ' || ${naira('coalesce(balance, 0)')}
        from (select merchant_id, balance from balances where code = 'reserve') b
        full join (select merchant_id, sum(amount - taken) as kept from reserve_lot where released_at is null group by merchant_id) l using (merchant_id)
       where coalesce(balance, 0) <> coalesce(kept, 0)
      union all
      select 'settlement ' || s.settlement_reference || ' kept back ' || ${naira('s.reserved')} || ', but its reserve is of ' || ${naira('coalesce(l.amount, 0)')}
        from settlement s
        left join reserve_lot l on l.merchant_id = s.merchant_id and l.id = s.id
       where s.reserved <> coalesce(l.amount, 0)`,
  },
]
