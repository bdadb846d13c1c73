-- How far the books have been proven.

-- How far a merchant's books were proven by `kobo ledger verify`, and what it needs to go on from there: see
-- core/money/ledger/proof/checkpoint.ts. It may be removed at any time: then all is proven from the beginning.
create table ledger_proof (
  merchant_id bigint primary key,
  checkpoint  json   not null
);

-- When the books of all merchants were last found right: from the checkpoints on, and from the beginning. One row. Real time.
create table ledger_last_clean (
  only_row boolean     primary key default true check (only_row),
  since_checkpoints_at timestamptz,
  whole_at             timestamptz
);
insert into ledger_last_clean default values;

-- A journal names what it was booked for by our own reference.
create index refund_own_reference on refund (merchant_id, reference);
create index paycode_own_reference on paycode (merchant_id, transaction_reference);
create index transfer_batch_own_reference on transfer_batch (merchant_id, transaction_batch_reference);
