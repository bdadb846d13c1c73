-- Everything that leaves a wallet waits for the same approvals.
alter table approval_request
  drop constraint approval_request_kind_check,
  add constraint approval_request_kind_check check (kind in ('TRANSFER', 'BATCH', 'REFUND', 'PAYCODE', 'BILL')),
  -- When it was decided, or when its payout ended otherwise.
  add column ended_at timestamptz;

-- The team member who created the key and so knows it. Null for the operator and the gateway.
alter table merchant_secret add column made_by bigint references person;
