import { type Check, naira } from './check.ts'

/**
 * Every credit that had an effect, by the bank's own name for it. Money of another bank or partner under a known
 * reference is stored under its full name; a second credit that two people accepted is stored with a tilde.
 */
const CREDITS = `credits as (
  select merchant_id, partner, bank_code, account_number, amount, effect,
         case when starts_with(rail_reference, partner || '/' || bank_code || '/')
              then substr(rail_reference, length(partner || '/' || bank_code || '/') + 1) else rail_reference end as reference
    from (select merchant_id, partner, bank_code, account_number, amount, rail_reference, 'booked' as effect from arrived_money
           where reason is null
          union all
          select merchant_id, partner, bank_code, account_number, amount, rail_reference, 'sent back' from credit_return) all_credits
   where partner <> '' and bank_code is not null)`

/** One reference, one effect, over all merchants. */
export const REFERENCES: readonly Check[] = [
  {
    name: 'a credit has one effect, over all merchants',
    query: `
      with ${CREDITS}
      select 'credit ' || reference || ' of bank ' || bank_code || ' at ' || partner || ' has ' || count(*) || ' effects: '
             || string_agg(effect || ' ' || ${naira('amount')} || ' on ' || account_number || ' of merchant ' || merchant_id, ', ' order by merchant_id, effect)
        from credits
       group by partner, bank_code, reference
      having count(*) > 1`,
  },
  {
    name: 'a line of a statement is booked once',
    query: `
      with ${CREDITS}
      select 'a line of ' || ${naira('l.amount')} || ' in the statement of ' || l.partner || ', named ' || array_to_string(l.named, ', ')
             || ', was booked ' || count(*) || ' times: ' || string_agg(c.effect || ' ' || c.reference, ', ' order by c.reference)
        from statement_line l
        join reconciliation_decision d on d.partner = l.partner and d.item_id = l.item_id and d.state = 'CARRIED_OUT' and d.wanted->>'as' = 'credit'
        join credits c on c.partner = l.partner and c.amount = l.amount
         and (c.reference = any(l.named) or c.reference = l.bank_reference or regexp_replace(c.reference, '~.*$', '') = any(l.named))
       where l.amount > 0
       group by l.partner, l.id, l.amount, l.named
      having count(*) > 1`,
  },
  {
    name: 'partners get each reference once',
    query: `
      select 'reference ' || reference || ' names ' || count(*) || ' orders'
        from (select regexp_replace(reference, '~[0-9]+$', '') as reference from rail_order
               where purpose not in ('account-open', 'account-close', 'account-rename')) orders
       group by reference
      having count(*) > 1`,
  },
  {
    name: 'a dispute is held against one payment, over all merchants',
    query: `
      select 'dispute ' || partner_reference || ' of ' || partner || ' is held against ' || count(*) || ' payments: '
             || string_agg(transaction_reference, ', ' order by transaction_reference)
        from dispute
       group by partner, partner_reference
      having count(*) > 1`,
  },
  {
    name: 'an account number had one holder when its money came',
    query: `
      select 'payment ' || p.rail_reference || ' came to ' || p.account_number || ' of merchant ' || p.merchant_id
             || ' when the number was another holder’s'
        from payment p
        join earlier_account e on e.bank_code = p.bank_code and e.account_number = p.account_number
         and p.received_at >= e.opened_at and p.received_at < e.closes_at
        join virtual_account v on v.bank_code = p.bank_code and v.account_number = p.account_number
       where p.merchant_id <> e.merchant_id and p.received_at < v.opened_at`,
  },
]
