-- Payouts of settlements are sent and asked about by their orders.
drop index settlement_payout_due;
alter table settlement_payout
  drop column tries,
  drop column due_at,
  drop constraint settlement_payout_status_check,
  add constraint settlement_payout_status_check check (status in ('DUE', 'COMPLETED'));
