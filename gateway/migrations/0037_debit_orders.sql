-- Debits go through the one door to the outside: when the customer's bank is asked about one is its order's business.
insert into rail_order (merchant_id, id, purpose, subject_id, reference, slot, amount, state, tries, created_at, due_at)
select d.merchant_id, d.id, 'debit', d.id, d.transaction_reference, 'debit/' || m.customer_account_bank_code, d.amount, 'SENT', 1,
       d.created_at, d.ask_at
  from debit d
  join mandate m on m.merchant_id = d.merchant_id and m.id = d.mandate_id
 where d.ask_at is not null;

drop index debit_to_ask;
alter table debit
  drop column ask_at,
  -- What the customer's bank calls it, once it is paid. Banks may call several by one name.
  add column session_id text;
