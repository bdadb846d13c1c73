-- Refunds to another account than the payer's, paycodes and bills can wait like transfers.

-- While it awaits authorization: when it expires. Its orders are held.
alter table refund add column authorize_by timestamptz check (authorize_by is null or status = 'PENDING');
create index refund_to_authorize on refund (authorize_by) where authorize_by is not null;

-- While it awaits authorization: when it expires. Its code does not exist before it is released.
alter table paycode add column authorize_by timestamptz check (authorize_by is null or status = 'PENDING');
create index paycode_ends on paycode (least(expires_at, authorize_by)) where status = 'PENDING';

-- While it awaits authorization: when it expires, and what the biller needs besides the bill itself.
alter table bill_vend
  add column authorize_by timestamptz check (authorize_by is null or status = 'PENDING'),
  add column held_details json;
create index bill_vend_to_authorize on bill_vend (authorize_by) where authorize_by is not null;
