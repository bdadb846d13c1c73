import { type Check, MOVES, naira } from './check.ts'

/** The changes of balances that follow from the rows of all features: one row per journal key and account. */
const EXPECTED = `
  -- collections
  select p.merchant_id, 'collection/' || p.rail_reference as key, e.code, e.amount
    from payment p
   cross join lateral (
     select coalesce(sum(s.share - s.fee), 0) as amount
       from json_to_recordset(p.splits) as s ("subAccountCode" text, share bigint, fee bigint)) split
   cross join lateral (values ('clearing', -p.amount), ('fees/collection', p.fee), ('payable', p.amount - p.fee - split.amount)) e (code, amount)
  union all
  select p.merchant_id, 'collection/' || p.rail_reference, 'payable/' || s."subAccountCode", s.share - s.fee
    from payment p
   cross join lateral json_to_recordset(p.splits) as s ("subAccountCode" text, share bigint, fee bigint)
  union all
  select merchant_id, 'top-up/' || rail_reference, e.code, e.amount
    from top_up t cross join lateral (values ('clearing', -t.amount), ('wallet/' || t.wallet_account_number, t.amount)) e (code, amount)
  union all
  select merchant_id, 'mandate-token/' || rail_reference, e.code, e.amount
    from mandate_token t cross join lateral (values ('clearing', -t.amount), ('fees/mandate', t.amount)) e (code, amount)
   where t.reason is null
  union all
  select merchant_id, 'credit-cost/' || reference, e.code, e.amount
    from credit_cost c cross join lateral (values ('costs/' || c.partner, -c.fee - c.vat), ('clearing', c.fee + c.vat)) e (code, amount)
  union all
  -- credits that go back
  select merchant_id, 'return/' || reference || '/held', e.code, e.amount
    from credit_return r cross join lateral (values ('clearing', -r.amount), ('suspense/' || r.partner, r.amount)) e (code, amount)
   where r.state <> 'BY_PARTNER'
  union all
  select merchant_id, 'return/' || reference || '/returned', e.code, e.amount
    from credit_return r cross join lateral (values ('suspense/' || r.partner, -r.amount), ('clearing', r.amount)) e (code, amount)
   where r.state = 'RETURNED'
  union all
  -- transfers: items of a batch are held with it, and those that failed at once have no order
  select t.merchant_id, 'transfer/' || t.transaction_reference || e.act, e.code, e.amount
    from transfer t
    join rail_order o on o.merchant_id = t.merchant_id and o.id = t.id
   cross join lateral (values
     ('/held', 'wallet/' || t.source_account_number, -t.amount - t.fee, t.batch_id is null),
     ('/held', 'in-flight/' || t.source_account_number, t.amount + t.fee, t.batch_id is null),
     ('/sent', 'in-flight/' || t.source_account_number, -t.amount - t.fee, t.status in ('SUCCESS', 'REVERSED')),
     ('/sent', 'clearing', t.amount, t.status in ('SUCCESS', 'REVERSED')),
     ('/sent', 'fees/transfer', t.fee, t.status in ('SUCCESS', 'REVERSED')),
     ('/released', 'in-flight/' || t.source_account_number, -t.amount - t.fee, t.status in ('FAILED', 'EXPIRED')),
     ('/released', 'wallet/' || t.source_account_number, t.amount + t.fee, t.status in ('FAILED', 'EXPIRED')),
     ('/reversed', 'clearing', -t.amount, t.status = 'REVERSED'),
     ('/reversed', 'fees/transfer', -t.fee, t.status = 'REVERSED'),
     ('/reversed', 'wallet/' || t.source_account_number, t.amount + t.fee, t.status = 'REVERSED')) e (act, code, amount, applies)
   where e.applies
  union all
  select merchant_id, 'transfer/' || transaction_batch_reference || '/held', e.code, e.amount
    from transfer_batch b
   cross join lateral (values ('wallet/' || b.source_account_number, -b.total_amount - b.total_fee),
                              ('in-flight/' || b.source_account_number, b.total_amount + b.total_fee)) e (code, amount)
  union all
  select merchant_id, 'bill/' || transaction_reference || e.act, e.code, e.amount
    from bill_vend v
   cross join lateral (values
     ('/held', 'wallet/' || v.account_number, v.commission - v.vend_amount, true),
     ('/held', 'in-flight/' || v.account_number, v.vend_amount - v.commission, true),
     ('/paid', 'in-flight/' || v.account_number, v.commission - v.vend_amount, v.status = 'SUCCESS'),
     ('/paid', 'clearing', v.vend_amount - v.commission, v.status = 'SUCCESS'),
     ('/returned', 'in-flight/' || v.account_number, v.commission - v.vend_amount, v.status = 'FAILED'),
     ('/returned', 'wallet/' || v.account_number, v.vend_amount - v.commission, v.status = 'FAILED')) e (act, code, amount, applies)
   where e.applies
  union all
  select merchant_id, 'paycode/' || transaction_reference || e.act, e.code, e.amount
    from paycode p
   cross join lateral (values
     ('/held', 'wallet/' || p.wallet_account_number, -p.amount - p.fee, true),
     ('/held', 'in-flight/' || p.wallet_account_number, p.amount + p.fee, true),
     ('/paid out', 'in-flight/' || p.wallet_account_number, -p.amount - p.fee, p.status = 'SUCCESS'),
     ('/paid out', 'clearing', p.amount, p.status = 'SUCCESS'),
     ('/paid out', 'fees/paycode', p.fee, p.status = 'SUCCESS'),
     ('/returned', 'in-flight/' || p.wallet_account_number, -p.amount - p.fee, p.status in ('EXPIRED', 'CANCELLED')),
     ('/returned', 'wallet/' || p.wallet_account_number, p.amount + p.fee, p.status in ('EXPIRED', 'CANCELLED'))) e (act, code, amount, applies)
   where e.applies
  union all
  -- refunds: a refund of one payment is its own only part
  select r.merchant_id, 'refund/' || r.reference || '/held', e.code, e.amount
    from refund r
   cross join lateral (
     select coalesce(sum(p.amount + p.fee), r.amount + r.fee) as total from refund_part p
      where p.merchant_id = r.merchant_id and p.refund_id = r.id) parts
   cross join lateral (values ('wallet/' || r.wallet_account_number, -parts.total), ('in-flight/' || r.wallet_account_number, parts.total)) e (code, amount)
  union all
  select p.merchant_id, 'refund/' || p.reference || e.act, e.code, e.amount
    from (select merchant_id, reference, status, amount, fee, wallet_account_number from refund r
           where not exists (select from refund_part p where p.merchant_id = r.merchant_id and p.refund_id = r.id)
          union all
          select p.merchant_id, p.reference, p.status, p.amount, p.fee, r.wallet_account_number
            from refund_part p join refund r on r.merchant_id = p.merchant_id and r.id = p.refund_id) p
   cross join lateral (values
     ('/completed', 'in-flight/' || p.wallet_account_number, -p.amount - p.fee, p.status = 'COMPLETED'),
     ('/completed', 'clearing', p.amount, p.status = 'COMPLETED'),
     ('/completed', 'fees/refund', p.fee, p.status = 'COMPLETED'),
     ('/failed', 'in-flight/' || p.wallet_account_number, -p.amount - p.fee, p.status = 'FAILED'),
     ('/failed', 'wallet/' || p.wallet_account_number, p.amount + p.fee, p.status = 'FAILED')) e (act, code, amount, applies)
   where e.applies
  union all
  select merchant_id, 'dispute/' || reference || e.act, e.code, e.amount
    from dispute d
   cross join lateral (values
     ('/opened', 'wallet/' || d.wallet_account_number, -d.from_wallet, true),
     ('/opened', 'reserve', -d.from_reserve, true),
     ('/opened', 'debt', -d.from_debt, true),
     ('/opened', 'in-flight/dispute', d.amount, true),
     ('/lost', 'in-flight/dispute', -d.amount, d.status in ('LOST', 'ACCEPTED')),
     ('/lost', 'clearing', d.amount, d.status in ('LOST', 'ACCEPTED')),
     ('/won', 'in-flight/dispute', -d.amount, d.status = 'WON'),
     ('/won', 'debt', d.repaid_debts, d.status = 'WON'),
     ('/won', 'wallet/' || d.wallet_account_number, d.amount - d.repaid_debts, d.status = 'WON')) e (act, code, amount, applies)
   where e.applies
  union all
  select merchant_id, 'charge/' || reference, e.code, e.amount
    from merchant_charge c
   cross join lateral (values
     ('wallet/' || c.wallet_account_number, -c.from_wallet),
     ('debt', c.from_wallet - c.amount),
     ('clearing', c.amount)) e (code, amount)
  union all
  -- settlements
  select merchant_id, 'settlement/' || settlement_reference, e.code, e.amount
    from settlement s
   cross join lateral (values
     ('debt', s.debt_repaid),
     ('reserve', s.reserved),
     (case s.destination when 'WALLET' then 'wallet/' || s.destination_account_number else 'in-flight/settlement' end, s.amount)) e (code, amount)
  union all
  select i.merchant_id, 'settlement/' || s.settlement_reference, 'payable', i.fee - i.share
    from settlement_item i
    join settlement s on s.merchant_id = i.merchant_id and s.id = i.settlement_id
  union all
  select i.merchant_id, 'settlement/' || s.settlement_reference, 'payable/' || part."subAccountCode", part.fee - part.share
    from settlement_item i
    join settlement s on s.merchant_id = i.merchant_id and s.id = i.settlement_id
    join payment p on p.merchant_id = i.merchant_id and p.transaction_id = i.transaction_id
   cross join lateral json_to_recordset(p.splits) as part ("subAccountCode" text, share bigint, fee bigint)
  union all
  select p.merchant_id, 'settlement/' || s.settlement_reference, 'in-flight/settlement/' || p.beneficiary_code, p.amount
    from settlement_payout p
    join settlement s on s.merchant_id = p.merchant_id and s.id = p.settlement_id
   where p.beneficiary_type = 'SUB_ACCOUNT'
  union all
  -- a payout may arrive and come back several times, under its own reference each time
  select merchant_id, 'payout/KFST' || id, e.code, e.amount
    from settlement_payout p
   cross join lateral (values
     (case p.beneficiary_type when 'MERCHANT' then 'in-flight/settlement' else 'in-flight/settlement/' || p.beneficiary_code end, -p.amount),
     ('clearing', p.amount)) e (code, amount)
   where p.status = 'COMPLETED'
  union all
  select l.merchant_id, 'reserve/' || l.id || '/released', e.code, e.amount
    from reserve_lot l
    join merchant m on m.id = l.merchant_id
   cross join lateral (values
     ('reserve', l.taken - l.amount),
     ('debt', l.repaid_debts),
     ('wallet/' || m.wallet_account_number, l.amount - l.taken - l.repaid_debts)) e (code, amount)
   where l.released_at is not null
  union all
  select d.merchant_id, 'reconciliation/' || d.id, e.code, e.amount
    from reconciliation_decision d
   cross join lateral (values
     ('clearing', case when d.wanted->>'as' = 'cost' then -d.difference else 0 end),
     ('costs/' || d.partner, case when d.wanted->>'as' = 'cost' then d.difference else 0 end)) e (code, amount)
   where d.state = 'CARRIED_OUT'`

/** The income of each settlement's transactions, for the merchant and for its sub accounts. */
const INCOMES = `incomes as (
  select s.merchant_id, s.id, s.settlement_reference, s.settled_at, s.amount, s.debt_repaid, s.reserved, s.transactions_count,
         i.count, i.income, coalesce(p.amount, 0) as to_sub_accounts, coalesce(parts.income, 0) as of_sub_accounts
    from settlement s
    left join (select merchant_id, settlement_id, count(*) as count, sum(share - fee) as income
                 from settlement_item group by merchant_id, settlement_id) i on i.merchant_id = s.merchant_id and i.settlement_id = s.id
    left join (select merchant_id, settlement_id, sum(amount) as amount
                 from settlement_payout where beneficiary_type = 'SUB_ACCOUNT' group by merchant_id, settlement_id) p
         on p.merchant_id = s.merchant_id and p.settlement_id = s.id
    left join (select i.merchant_id, i.settlement_id, sum(s.share - s.fee) as income
                 from settlement_item i
                 join payment p on p.merchant_id = i.merchant_id and p.transaction_id = i.transaction_id
                cross join lateral json_to_recordset(p.splits) as s ("subAccountCode" text, share bigint, fee bigint)
                group by i.merchant_id, i.settlement_id) parts on parts.merchant_id = s.merchant_id and parts.settlement_id = s.id)`

/** Journals that belong to no row: test money, the opening balance, and the price of a lookup. */
const WITHOUT_ROW = `(key = 'opening' or key like 'funding/%' or key like 'verification/%')`

/** Every journal follows from a row, and every row has its journals, to the kobo. */
export const POSTINGS: readonly Check[] = [
  {
    name: 'every journal follows from what happened, and nothing happened without one',
    query: `
      with ${MOVES}, posted as (
        select merchant_id,
               case when key like 'payout/%' then regexp_replace(key, '^(payout/KFST[0-9]+).*$', '\\1') else key end as key,
               case when code like 'clearing/%' then 'clearing' else code end as code, sum(amount) as amount
          from (select merchant_id, key, target as code, amount from moves
                union all
                select merchant_id, key, source, -amount from moves) sides
         where not ${WITHOUT_ROW}
         group by 1, 2, 3
      ), due as (
        select merchant_id, key, code, sum(amount) as amount from (${EXPECTED}) expected group by merchant_id, key, code)
      select 'journal ' || key || ' of merchant ' || merchant_id || ' changes ' || code || ' by ' || ${naira('coalesce(p.amount, 0)')}
             || ', but its record says ' || ${naira('coalesce(d.amount, 0)')}
        from posted p full join due d using (merchant_id, key, code)
       where coalesce(p.amount, 0) <> coalesce(d.amount, 0)`,
  },
  {
    name: 'each order has one conclusion',
    query: `
      select 'the money of ' || regexp_replace(key, '/[^/]+$', '') || ' of merchant ' || merchant_id
             || ' both left and came back: ' || string_agg(regexp_replace(key, '^.*/', ''), ', ' order by key)
        from journal
       where key ~ '^(transfer|refund|bill|paycode|dispute)/.*/(sent|released|completed|failed|paid|paid out|returned|won|lost)$'
       group by merchant_id, regexp_replace(key, '/[^/]+$', '')
      having count(*) > 1`,
  },
  {
    name: 'a settlement pays out what its transactions brought, debts and reserves first',
    query: `
      with ${INCOMES}
      select 'settlement ' || settlement_reference || ' of ' || transactions_count || ' transactions pays ' || ${naira('amount')} || ' and '
             || ${naira('to_sub_accounts')} || ' to sub accounts, repays ' || ${naira('debt_repaid')} || ' and keeps ' || ${naira('reserved')}
             || ', but its ' || count || ' items brought ' || ${naira('income')} || ' and ' || ${naira('of_sub_accounts')} || ' of sub accounts'
        from incomes
       where amount + to_sub_accounts + debt_repaid + reserved <> income + of_sub_accounts or transactions_count <> count
          or amount > income or to_sub_accounts > of_sub_accounts
          or amount > 0 and to_sub_accounts < of_sub_accounts`,
  },
  {
    name: 'nothing leaves a settlement while an older debt is open',
    query: `
      with ${INCOMES}, owing as (
        select i.merchant_id, i.id,
               (select coalesce(sum(d.amount), 0) from merchant_debt d
                 where d.merchant_id = i.merchant_id and d.since < i.settled_at - interval '1 minute')
             - (select coalesce(sum(r.amount), 0) from debt_repayment r where r.merchant_id = i.merchant_id and r.at <= i.settled_at) as owed
          from incomes i
         where exists (select from merchant_debt d where d.merchant_id = i.merchant_id))
      select 'settlement ' || i.settlement_reference || ' paid ' || ${naira('i.amount')} || ' and ' || ${naira('i.to_sub_accounts')}
             || ' to sub accounts, although merchant ' || i.merchant_id || ' owed ' || ${naira('o.owed')} || ' after it'
        from incomes i
        join owing o on o.merchant_id = i.merchant_id and o.id = i.id
       where o.owed > 0 and i.amount + i.to_sub_accounts > 0`,
  },
  {
    name: 'a settled transaction pays the amount paid, less fee and splits',
    query: `
      with split as (
        select p.merchant_id, p.transaction_id, sum(s.share) as share, sum(s.fee) as fee
          from payment p
         cross join lateral json_to_recordset(p.splits) as s ("subAccountCode" text, share bigint, fee bigint)
         group by p.merchant_id, p.transaction_id)
      select 'transaction ' || t.transaction_reference || ' was settled with ' || ${naira('i.share - i.fee')} || ' of '
             || ${naira('t.amount_paid')} || ' less ' || ${naira('t.fee')} || ' and splits of ' || ${naira('coalesce(s.share - s.fee, 0)')}
        from settlement_item i
        join transaction t on t.merchant_id = i.merchant_id and t.id = i.transaction_id
        left join split s on s.merchant_id = i.merchant_id and s.transaction_id = i.transaction_id
       where i.share <> t.amount_paid - coalesce(s.share, 0) or i.fee <> t.fee - coalesce(s.fee, 0)
      union all
      select 'transaction ' || t.transaction_reference || ' has ' || ${naira('t.amount_paid')}
             || case when t.settles_at is null then ', is not due to settle and was not settled' else ', was settled, and is due to settle again' end
        from transaction t
        left join settlement_item i on i.merchant_id = t.merchant_id and i.transaction_id = t.id
       where t.amount_paid > 0 and (t.settles_at is null) = (i.transaction_id is null)`,
  },
  {
    name: 'a settlement is paid out as it says',
    query: `
      select 'settlement ' || s.settlement_reference || ' of ' || ${naira('s.amount')} || ' is ' || s.status || ', but its payout of '
             || ${naira('coalesce(p.amount, 0)')} || ' is ' || coalesce(p.status, 'missing')
        from settlement s
        left join settlement_payout p on p.merchant_id = s.merchant_id and p.settlement_id = s.id and p.beneficiary_type = 'MERCHANT'
       where coalesce(p.amount, 0) <> case s.destination when 'BANK' then s.amount else 0 end
          or p.status is not null and (s.status = 'COMPLETED') <> (p.status = 'COMPLETED')`,
  },
]
