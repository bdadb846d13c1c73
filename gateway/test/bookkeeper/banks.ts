import { type Check, NOW, naira } from './check.ts'

/** A movement of money in a partner's own books, under the reference of our order. */
export interface BankEffect {
  readonly partner: string
  readonly reference: string
  /** Kobo; null if the partner's book has no amount. */
  readonly amount: bigint | null
  /** `returned`: the money left and came back. */
  readonly outcome: 'paid' | 'returned'
}

/** A credit in the bank's own books. */
export interface BankCredit {
  readonly partner: string
  readonly bankCode: string
  readonly reference: string
  readonly accountNumber: string
  /** Kobo. */
  readonly amount: bigint
}

/** The books of partners that are not in the database. */
export interface SimulatedBanks {
  /** The partners whose books these are. They have no effects and credits besides these. */
  readonly partners: readonly string[]
  readonly effects: readonly BankEffect[]
  readonly credits?: readonly BankCredit[]
}

/** The books as text for the queries. */
export const asText = ({ partners, effects, credits = [] }: SimulatedBanks): string =>
  JSON.stringify({ partners, effects, credits }, (_, value) => (typeof value === 'bigint' ? String(value) : value))

const BOOKS = `current_setting('bookkeeper.banks')::json`

/**
 * The effects of orders in the partners' own books. The sandbox's bank keeps its book in the database. There, as the
 * guide to testing says, an account's last digits decide the outcome of a transfer.
 */
const EFFECTS = `books as (
  select 'simulated' as partner
  union
  select json_array_elements_text(${BOOKS}->'partners')
), effects as (
  select partner, reference, amount, outcome from json_to_recordset(${BOOKS}->'effects') as e (partner text, reference text, amount bigint, outcome text)
  union all
  select 'simulated', reference, (facts->>'amount')::bigint,
         case when right(facts->>'accountNumber', 3) in ('001', '004', '005') then 'failed'
              when right(facts->>'accountNumber', 3) = '002' and ${NOW} < at + interval '60 seconds' then 'pending'
              when right(facts->>'accountNumber', 3) = '003' and ${NOW} >= at + interval '300 seconds' then 'returned'
              else 'paid' end
    from simulated_entry where rail = 'transfer' and facts->>'neverSeen' is null
  union all
  select 'simulated', reference, null, case when facts->>'state' in ('approved', 'silent') then 'paid' else 'pending' end
    from simulated_entry where rail = 'card' and facts->>'neverSeen' is null
  union all
  select 'simulated', reference, round((facts->>'amount')::numeric * 100)::bigint, case when facts->>'state' in ('refunded', 'silent') then 'paid' else 'failed' end
    from simulated_entry where rail = 'card refund' and facts->>'neverSeen' is null
  union all
  select 'simulated', reference, null,
         case when right(facts->>'accountNumber', 3) in ('001', '004') then 'failed'
              when right(facts->>'accountNumber', 3) = '002' and ${NOW} < at + interval '60 seconds' then 'pending' else 'paid' end
    from simulated_entry where rail = 'debit' and facts->>'neverSeen' is null
  union all
  select 'simulated', reference, (facts->>'amount')::bigint,
         case when right(facts->>'customerId', 3) in ('001', '003') then 'failed'
              when right(facts->>'customerId', 3) = '002' and ${NOW} < at + interval '60 seconds' then 'pending' else 'paid' end
    from simulated_entry where rail = 'biller' and facts->>'neverSeen' is null
)`

/** The outcome of each order in our own books, except for orders that two operators have decided. */
const OUTCOMES = `outcomes as (
  select o.merchant_id, o.id, o.purpose, o.reference, o.partner, o.amount, o.state, x.outcome
    from rail_order o
    join (
      select merchant_id, id, 'transfer' as purpose, case status when 'SUCCESS' then 'paid' when 'REVERSED' then 'returned'
             when 'FAILED' then 'failed' when 'EXPIRED' then 'failed' else 'open' end as outcome from transfer
      union all
      select merchant_id, id, 'settlement-payout', case status when 'COMPLETED' then 'paid' else 'open' end from settlement_payout
      union all
      select merchant_id, id, 'refund', case status when 'COMPLETED' then 'paid' when 'FAILED' then 'failed' else 'open' end from refund r
       where not exists (select from refund_part p where p.merchant_id = r.merchant_id and p.refund_id = r.id)
      union all
      select merchant_id, id, 'refund', case status when 'COMPLETED' then 'paid' when 'FAILED' then 'failed' else 'open' end from refund_part
      union all
      select o.merchant_id, o.id, 'return', case when o.id <> r.order_id then 'failed' when r.state = 'RETURNED' and r.note is not null then 'decided'
             when r.state = 'RETURNED' then 'paid' when r.state = 'RETURNING' then 'open' else 'failed' end
        from rail_order o join credit_return r on r.merchant_id = o.merchant_id and r.id = o.subject_id where o.purpose = 'return'
      union all
      select merchant_id, id, 'vend', case status when 'SUCCESS' then 'paid' when 'FAILED' then 'failed' else 'open' end from bill_vend
      union all
      select merchant_id, id, 'debit', case status when 'PAID' then 'paid' when 'FAILED' then 'failed' else 'open' end from debit
      union all
      select merchant_id, order_id, 'card-charge', case status when 'APPROVED' then 'paid' when 'DECLINED' then 'failed' else 'open' end from card_attempt
    ) x on x.merchant_id = o.merchant_id and x.id = o.id and x.purpose = o.purpose
   where not exists (select from order_decision d where d.merchant_id = o.merchant_id and d.order_id = o.id and d.state = 'CARRIED_OUT')
)`

/** An order's reference without the number of the attempt. */
const base = (reference: string): string => `regexp_replace(${reference}, '~[0-9]+$', '')`

/** Our books against those of the partners: nothing duplicated, nothing lost. */
export const BANKS: readonly Check[] = [
  {
    name: 'a partner paid each order at most once',
    query: `
      with ${EFFECTS}
      select 'order ' || ${base('reference')} || ' was paid ' || count(*) || ' times: '
             || string_agg(reference || ' by ' || partner, ', ' order by reference, partner)
        from effects where outcome = 'paid'
       group by ${base('reference')} having count(*) > 1`,
  },
  {
    name: 'what a partner paid is not failed or returned in the books',
    query: `
      with ${EFFECTS}, ${OUTCOMES}
      select o.purpose || ' ' || e.reference || ' of ' || ${naira('o.amount')} || ' is ' || o.outcome || ' in the books, but ' || e.partner || ' has paid it'
        from effects e
        join outcomes o on ${base('o.reference')} = ${base('e.reference')}
       where e.outcome = 'paid' and o.outcome in ('failed', 'returned')
      union all
      select o.purpose || ' ' || e.reference || ' of ' || ${naira('o.amount')} || ' is paid in the books, but ' || e.partner || ' has it back'
        from effects e
        join outcomes o on o.reference = e.reference
       where e.outcome = 'returned' and o.outcome = 'paid' and o.state = 'CONCLUDED'`,
  },
  {
    name: 'every payment in the books was made by the partner',
    query: `
      with ${EFFECTS}, ${OUTCOMES}
      select o.purpose || ' ' || o.reference || ' of ' || ${naira('o.amount')} || ' is paid in the books, but ' || o.partner || ' has not paid it'
        from outcomes o
        join books b on b.partner = o.partner
       where o.outcome = 'paid'
         and not exists (select from effects e where e.reference = o.reference and e.partner = o.partner and e.outcome in ('paid', 'returned'))
      union all
      select o.purpose || ' ' || o.reference || ' is of ' || ${naira('o.amount')} || ', but ' || e.partner || ' moved ' || ${naira('e.amount')}
        from outcomes o
        join effects e on e.reference = o.reference
       where e.amount <> o.amount and e.outcome in ('paid', 'returned')`,
  },
  {
    name: 'partners moved nothing but our orders',
    query: `
      with ${EFFECTS}
      select e.partner || ' has moved ' || coalesce(${naira('e.amount')}, 'money') || ' under ' || e.reference || ', which is not our order'
        from effects e
       where e.outcome in ('paid', 'returned')
         and not exists (select from rail_order o where ${base('o.reference')} = ${base('e.reference')})
         and not exists (select from card_attempt a where a.reference = e.reference)`,
  },
  {
    name: 'every credit that is booked arrived at the bank, and none is missing',
    query: `
      with arrived as (
        select partner, "bankCode" as bank_code, reference, "accountNumber" as account_number, amount
          from json_to_recordset(${BOOKS}->'credits') as c (partner text, "bankCode" text, reference text, "accountNumber" text, amount bigint)
      ), partners as (select distinct partner from arrived), booked as (
        select partner, bank_code, amount,
               regexp_replace(case when starts_with(rail_reference, partner || '/' || bank_code || '/')
                    then substr(rail_reference, length(partner || '/' || bank_code || '/') + 1) else rail_reference end, '~.*$', '') as reference
          from (select partner, bank_code, amount, rail_reference from arrived_money where reason is null
                union all
                select partner, bank_code, amount, rail_reference from credit_return) both_effects
         -- money in suspense that only a statement has names no bank
         where partner in (select partner from partners) and bank_code <> '')
      select 'the books have ' || count(*) || ' credits ' || b.reference || ' of bank ' || b.bank_code || ' with ' || ${naira('sum(b.amount)')}
             || ', but the bank has ' || ${naira('coalesce(max(a.amount), 0)')}
        from booked b
        left join (select partner, bank_code, reference, sum(amount) as amount from arrived group by partner, bank_code, reference) a
             using (partner, bank_code, reference)
       group by b.partner, b.bank_code, b.reference
      having sum(b.amount) > coalesce(max(a.amount), 0)
      union all
      select 'credit ' || a.reference || ' of ' || ${naira('a.amount')} || ' arrived at bank ' || a.bank_code || ', but the books do not have it'
        from arrived a
       where not exists (select from booked b where b.partner = a.partner and b.bank_code = a.bank_code and b.reference = a.reference)
         and not exists (select from credit_conflict c where c.partner = a.partner and c.bank_code = a.bank_code and c.rail_reference = a.reference)`,
  },
]
