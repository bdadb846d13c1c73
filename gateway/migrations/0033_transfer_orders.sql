-- Transfers are sent and asked about by their orders.
drop index transfer_due;
alter table transfer
  drop column leased_until,
  drop column is_handed_over,
  drop column due_at,
  -- While it awaits authorization: when it expires.
  add column authorize_by timestamptz,
  set (fillfactor = 80);
create index transfer_unauthorized on transfer (authorize_by) where authorize_by is not null;
