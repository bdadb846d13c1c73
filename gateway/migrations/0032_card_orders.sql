-- Card charges and reversals go through the one door to the outside: when the network is asked is the order's business.

-- The order by which the network is asked for a charge. References of charges start with it.
alter table card_attempt add column order_id bigint;
update card_attempt set order_id = ('x' || left(reference, 16))::bit(64)::bigint;
alter table card_attempt alter column order_id set not null;

insert into rail_order (merchant_id, id, purpose, subject_id, reference, slot, amount, state, tries, created_at, due_at)
select merchant_id, order_id, case status when 'REVERSING' then 'card-reversal' else 'card-charge' end, transaction_id,
       case status when 'REVERSING' then 'reversal-' else '' end || reference, 'card', amount, 'SENT', 1, opened_at, ask_at
  from card_attempt
 where ask_at is not null;

drop index card_attempt_due;
alter table card_attempt drop column ask_at;
