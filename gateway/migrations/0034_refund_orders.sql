-- Refunds are sent and asked about by their orders.
drop index if exists refund_due;
alter table refund
  drop column attempts,
  drop column next_attempt_at,
  drop column leased_until;
