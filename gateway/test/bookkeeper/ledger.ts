import { BALANCES, type Check, MOVES, naira } from './check.ts'

/** The ledger alone: balances are the sum of moves, and nothing is created or below zero. */
export const LEDGER: readonly Check[] = [
  {
    name: 'every balance is the sum of its moves',
    query: `
      with ${MOVES}, ${BALANCES}, sums as (
        select merchant_id, code, sum(amount) as moved
          from (select merchant_id, target as code, amount from moves
                union all
                select merchant_id, source, -amount from moves) sides
         group by merchant_id, code)
      select 'account ' || code || ' of merchant ' || merchant_id || ' holds ' || ${naira('coalesce(balance, 0)')}
             || ', but its moves sum to ' || ${naira('coalesce(moved, 0)')}
        from balances full join sums using (merchant_id, code)
       where coalesce(balance, 0) <> coalesce(moved, 0)`,
  },
  {
    name: 'all balances of a merchant sum to zero',
    query: `
      with ${BALANCES}
      select 'the accounts of merchant ' || merchant_id || ' sum to ' || ${naira('sum(balance)')} || ' instead of zero'
        from balances group by merchant_id having sum(balance) <> 0`,
  },
  {
    name: 'no account is below zero that must not be',
    query: `
      with ${BALANCES}
      select 'account ' || code || ' of merchant ' || merchant_id || ' is at ' || ${naira('balance')}
        from balances
       where case when code = 'debt' then balance > 0
                  when code like 'clearing/%' or code like 'costs/%' then false
                  else balance < 0 end`,
  },
  {
    name: 'every journal moves money',
    query: `
      with ${MOVES}
      select 'journal ' || j.key || ' of merchant ' || j.merchant_id || ' moves nothing'
        from journal j
       where not exists (select from moves m where m.merchant_id = j.merchant_id and m.key = j.key)
      union all
      select 'journal ' || key || ' of merchant ' || merchant_id || ' moves ' || ${naira('amount')} || ' from ' || source || ' to ' || target
        from moves where source = target or amount <= 0`,
  },
  {
    name: 'the lines of a wallet continue each other and end with its balance',
    query: `
      with ${MOVES}, ${BALANCES}, lines as (
        select merchant_id, account_number, reference, balance_before, balance_after,
               lag(balance_after) over wallet as before, row_number() over backwards as from_the_end
          from wallet_entry
        window wallet as (partition by merchant_id, account_number order by id),
               backwards as (partition by merchant_id, account_number order by id desc)
      ), opening as (
        select merchant_id, target as code, sum(amount) as amount from moves where key = 'opening' group by merchant_id, target)
      select 'line ' || reference || ' of wallet ' || account_number || ' begins with ' || ${naira('balance_before')}
             || ', but the line before it ends with ' || ${naira('coalesce(before, amount, 0)')}
        from lines l
        left join opening o on o.merchant_id = l.merchant_id and o.code = 'wallet/' || account_number
       where balance_before <> coalesce(before, amount, 0)
      union all
      select 'wallet ' || substr(b.code, 8) || ' holds ' || ${naira('balance')} || ', but its statement ends with '
             || ${naira('coalesce(l.balance_after, o.amount, 0)')}
        from balances b
        left join opening o on o.merchant_id = b.merchant_id and o.code = b.code
        left join lines l on l.merchant_id = b.merchant_id and 'wallet/' || l.account_number = b.code and l.from_the_end = 1
       where b.code like 'wallet/%' and b.balance <> coalesce(l.balance_after, o.amount, 0)`,
  },
  {
    name: 'money in transit belongs to open orders',
    query: `
      with ${BALANCES}, open as (
        select merchant_id, 'in-flight/' || source_account_number as code, amount + fee as amount from transfer
         where status in ('PENDING_AUTHORIZATION', 'OTP_EMAIL_DISPATCH_FAILED', 'PENDING')
        union all
        select merchant_id, 'in-flight/' || account_number, vend_amount - commission from bill_vend where status = 'PENDING'
        union all
        select merchant_id, 'in-flight/' || wallet_account_number, amount + fee from paycode where status = 'PENDING'
        union all
        select merchant_id, 'in-flight/' || wallet_account_number, amount + fee from refund r
         where status = 'PENDING'
           and not exists (select from refund_part p where p.merchant_id = r.merchant_id and p.refund_id = r.id)
        union all
        select p.merchant_id, 'in-flight/' || r.wallet_account_number, p.amount + p.fee
          from refund_part p join refund r on r.merchant_id = p.merchant_id and r.id = p.refund_id
         where p.status = 'PENDING'
        union all
        select merchant_id, case beneficiary_type when 'MERCHANT' then 'in-flight/settlement' else 'in-flight/settlement/' || beneficiary_code end, amount
          from settlement_payout where status = 'DUE'
        union all
        select merchant_id, 'in-flight/dispute', amount from dispute where status in ('OPEN', 'EVIDENCE_SUBMITTED', 'EXPIRED')
        union all
        select merchant_id, 'suspense/' || partner, amount from credit_return where state in ('WAITING', 'RETURNING')
      ), held as (select merchant_id, code, sum(amount) as amount from open group by merchant_id, code)
      select 'account ' || code || ' of merchant ' || merchant_id || ' holds ' || ${naira('coalesce(balance, 0)')}
             || ', but open orders need ' || ${naira('coalesce(amount, 0)')}
        from (select merchant_id, code, balance from balances where code like 'in-flight/%' or code like 'suspense/%') b
        full join held using (merchant_id, code)
       where coalesce(balance, 0) <> coalesce(amount, 0)`,
  },
  {
    name: 'money in transit is held by orders that have not arrived',
    query: `
      with ${BALANCES}, held as (
        select merchant_id, code, sum(amount) as amount
          from (select merchant_id, account as code, held as amount from rail_order
                 where account like 'in-flight/%' and state <> 'CONCLUDED' and concluded_at is null
                union all
                select merchant_id, 'in-flight/' || wallet_account_number, amount + fee from paycode where status = 'PENDING'
                union all
                select merchant_id, 'in-flight/dispute', amount from dispute where status in ('OPEN', 'EVIDENCE_SUBMITTED', 'EXPIRED')) open
         group by merchant_id, code)
      select 'account ' || code || ' of merchant ' || merchant_id || ' holds ' || ${naira('coalesce(balance, 0)')}
             || ', but open orders that have not arrived hold ' || ${naira('coalesce(amount, 0)')}
        from (select merchant_id, code, balance from balances where code like 'in-flight/%') b
        full join held using (merchant_id, code)
       where coalesce(balance, 0) <> coalesce(amount, 0)`,
  },
]
