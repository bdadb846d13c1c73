-- Codes for which an agent pays out cash.

-- Cash that an agent pays out to whoever names a code.
create table paycode (
  merchant_id           bigint      not null,
  id                    bigint      not null,
  paycode_reference     text        not null,
  transaction_reference text        not null,
  -- The code, encrypted.
  sealed                bytea       not null,
  beneficiary_name      text        not null,
  wallet_account_number text        not null,
  amount                bigint      not null check (amount > 0),
  fee                   bigint      not null check (fee >= 0),
  status                text        not null check (status in ('PENDING', 'SUCCESS', 'EXPIRED', 'CANCELLED')),
  created_at            timestamptz not null,
  -- API keys.
  created_by            text        not null,
  modified_by           text,
  expires_at            timestamptz not null check (expires_at > created_at),
  completed_at          timestamptz check ((completed_at is null) = (status = 'PENDING')),
  primary key (merchant_id, id),
  unique (merchant_id, paycode_reference)
);
create index paycode_due on paycode (expires_at) where status = 'PENDING';

-- The directory from a code that can be paid out to its paycode. Holds a keyed hash of the code, so a copy of it gives no cash.
create table open_paycode (
  code_hash   bytea  primary key,
  merchant_id bigint not null,
  paycode_id  bigint not null,
  unique (merchant_id, paycode_id)
);
