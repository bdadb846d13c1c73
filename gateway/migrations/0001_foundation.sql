-- The foundation: keys, nodes, merchants, the ledger, events, and payments by bank transfer.
-- Merchant data has merchant_id as the first column of every primary key, unique index and foreign key, so that
-- merchants can be spread over several databases. The exceptions are directories, which find a merchant from something
-- the outside world holds (an API key, an account number), and say so.
-- Merchants, contracts and accounts are never removed. Tables that every payment writes to have no foreign key to them:
-- the check would lock one and the same row for all of a merchant's payments at once.

-- Keys that encrypt data at rest. Each is itself encrypted ("wrapped") by the master key, which is never in the database.
create table data_key (
  id         smallint    primary key check (id > 0),
  wrapped    bytea       not null,
  created_at timestamptz not null
);

-- Numbers of the nodes (processes) that run now. A node makes references that no other node makes, without asking anyone.
create table node (
  number       smallint    primary key check (number between 0 and 99),
  holder       uuid        not null,
  -- Real time, not business time.
  leased_until timestamptz not null,
  -- Business time in Unix seconds: no earlier holder of this number has used this second or a later one.
  first_second bigint      not null
);

-- How far business time is ahead of real time. One row; stays zero outside the sandbox.
create table business_clock (
  only_row            boolean primary key default true check (only_row),
  offset_milliseconds bigint  not null default 0 check (offset_milliseconds >= 0)
);
insert into business_clock default values;

-- A merchant: whose money it is. Also the directory from API key to merchant.
create table merchant (
  id                    bigint      primary key,
  code                  text        not null unique check (code ~ '^[A-Z0-9]{12}$'),
  name                  text        not null,
  email                 text        not null,
  api_key               text        not null unique check (api_key ~ '^MK_(TEST|PROD)_[A-Z0-9]{10}$'),
  wallet_account_number text        not null unique check (wallet_account_number ~ '^\d{10}$'),
  otp_enabled           boolean     not null default true,
  -- Addresses and CIDR ranges from which the API may be called.
  ip_whitelist          text[]      not null,
  permissions           text[]      not null,
  low_balance_threshold bigint      check (low_balance_threshold > 0),
  -- Sandbox only: FAIL makes every mail to this merchant fail.
  mail                  text        not null default 'OK' check (mail in ('OK', 'FAIL')),
  created_at            timestamptz not null
);

create function refuse_removal() returns trigger language plpgsql as $$
begin
  raise exception 'a row of % is never removed', tg_table_name;
end $$;
create trigger merchant_stays before delete or truncate on merchant execute function refuse_removal();

-- A merchant's secret keys, encrypted. Two are valid at once while one replaces the other.
create table merchant_secret (
  merchant_id   bigint      not null references merchant,
  id            bigint      not null,
  sealed        bytea       not null,
  created_at    timestamptz not null,
  -- The first login with it: from then on events are signed with it.
  first_used_at timestamptz,
  expires_at    timestamptz,
  primary key (merchant_id, id)
);

-- A contract: on what terms a merchant collects.
create table contract (
  merchant_id              bigint      not null references merchant,
  code                     text        not null check (code ~ '^\d{10}(\d{2})?$'),
  name                     text        not null,
  description              text        not null,
  currency_code            text        not null,
  payment_methods          text[]      not null check (cardinality(payment_methods) > 0),
  account_duration_seconds integer     not null check (account_duration_seconds > 0),
  fee_basis_points         integer     not null check (fee_basis_points between 0 and 10000),
  fee_cap                  bigint      check (fee_cap >= 0),
  fee_flat                 bigint      not null check (fee_flat >= 0),
  fee_bearer               text        not null check (fee_bearer in ('MERCHANT', 'CUSTOMER')),
  underpayment             text        not null check (underpayment in ('ACCEPT', 'REJECT')),
  settlement               text        not null check (settlement in ('INSTANT', 'DAILY')),
  settlement_destination   text        not null check (settlement_destination in ('WALLET', 'BANK')),
  created_at               timestamptz not null,
  primary key (merchant_id, code)
);

create trigger contract_stays before delete or truncate on contract execute function refuse_removal();

-- Where a merchant's events go. The kind 'default' takes every kind without an address of its own.
create table webhook_endpoint (
  merchant_id       bigint  not null references merchant,
  kind              text    not null check (kind in ('default', 'collection', 'disbursement', 'refund', 'settlement', 'mandate', 'wallet')),
  url               text    not null,
  -- Set when the receiver said 410, or gave up too many events in a row. Lifted by setting the address again.
  paused_at         timestamptz,
  given_up_in_a_row integer not null default 0,
  primary key (merchant_id, kind)
);

-- A place where money is, and how much of it: the sum of all moves into it less those out of it.
create table account (
  merchant_id bigint not null,
  code        text   not null,
  balance     bigint not null,
  primary key (merchant_id, code),
  -- Only clearing accounts, which mirror money held at a bank, may be below zero.
  constraint account_not_below_zero check (balance >= 0 or code like 'clearing/%')
) with (fillfactor = 50);

create trigger account_stays before delete or truncate on account execute function refuse_removal();

-- One business act's moves of money, under a key that is used once.
create table journal (
  merchant_id bigint      not null,
  id          bigint      not null,
  key         text        not null,
  memo        text        not null,
  posted_at   timestamptz not null,
  primary key (merchant_id, id),
  unique (merchant_id, key)
);

-- A move of money between two accounts. Never changed, never removed.
create table move (
  merchant_id bigint   not null,
  journal_id  bigint   not null,
  line        smallint not null,
  source      text     not null,
  target      text     not null,
  amount      bigint   not null check (amount > 0),
  primary key (merchant_id, journal_id, line),
  foreign key (merchant_id, journal_id) references journal,
  check (source <> target)
);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is insert-only: correct a mistake with a reverse journal', tg_table_name;
end $$;
create trigger journal_insert_only before update or delete or truncate on journal execute function refuse_change();
create trigger move_insert_only before update or delete or truncate on move execute function refuse_change();

-- A payment that a merchant asks a customer for.
create table transaction (
  merchant_id           bigint      not null,
  -- The transaction reference in 63 bits, so that a transaction is found by its reference without a further index.
  id                    bigint      not null,
  transaction_reference text        not null,
  payment_reference     text        not null,
  contract_code         text        not null,
  status                text        not null default 'PENDING' check (status in ('PENDING', 'OVERPAID', 'PARTIALLY_PAID', 'PAID', 'EXPIRED', 'FAILED', 'CANCELLED')),
  amount                bigint      not null check (amount > 0),
  -- What the customer is to pay: the amount, and the fee where the customer bears it.
  payable               bigint      not null check (payable >= amount),
  currency_code         text        not null,
  payment_description   text,
  customer_name         text,
  customer_email        text        not null,
  redirect_url          text,
  payment_methods       text[]      not null,
  income_split_config   json,
  meta_data             json        not null,
  product_type          text        not null default 'WEB_SDK',
  product_reference     text        not null,
  -- The terms at the time of the request: a later change of the contract does not touch them.
  fee_bearer            text        not null check (fee_bearer in ('MERCHANT', 'CUSTOMER')),
  fee_basis_points      integer     not null,
  fee_cap               bigint,
  fee_flat              bigint      not null,
  underpayment          text        not null check (underpayment in ('ACCEPT', 'REJECT')),
  created_at            timestamptz not null,
  expires_at            timestamptz not null,
  -- Set when nothing more can happen to it.
  completed_at          timestamptz,
  amount_paid           bigint      not null default 0 check (amount_paid >= 0),
  fee                   bigint      not null default 0 check (fee >= 0 and fee <= amount_paid),
  payment_method        text,
  paid_at               timestamptz,
  primary key (merchant_id, id),
  unique (merchant_id, payment_reference)
) with (fillfactor = 80);
create index transaction_due on transaction (expires_at) where completed_at is null;

-- Money that arrived for a transaction. The rail's own reference is used once.
create table payment (
  merchant_id            bigint      not null,
  id                     bigint      not null,
  transaction_id         bigint      not null,
  rail_reference         text        not null,
  method                 text        not null,
  amount                 bigint      not null check (amount > 0),
  fee                    bigint      not null check (fee >= 0 and fee <= amount),
  payer_name             text,
  payer_account_number   text,
  payer_bank_code        text,
  bank_code              text        not null,
  account_number         text        not null,
  received_at            timestamptz not null,
  primary key (merchant_id, id),
  unique (merchant_id, rail_reference),
  foreign key (merchant_id, transaction_id) references transaction
);
create index payment_of_transaction on payment (merchant_id, transaction_id);

-- Money that was sent back to the payer, and why. Nothing of it was kept.
create table rejected_payment (
  merchant_id          bigint      not null,
  id                   bigint      not null,
  transaction_id       bigint      not null,
  rail_reference       text        not null,
  reason               text        not null,
  amount               bigint      not null check (amount > 0),
  payer_name           text,
  payer_account_number text,
  payer_bank_code      text,
  bank_code            text        not null,
  account_number       text        not null,
  received_at          timestamptz not null,
  primary key (merchant_id, id),
  unique (merchant_id, rail_reference),
  foreign key (merchant_id, transaction_id) references transaction
);

-- The directory from an account number at a partner bank to whose it is and what it is for.
create table virtual_account (
  bank_code      text        not null,
  account_number text        not null check (account_number ~ '^\d{10}$'),
  merchant_id    bigint      not null,
  purpose        text        not null,
  -- What it collects for: the id of the transaction where the purpose is 'transaction'.
  owner_id       bigint      not null,
  account_name   text        not null,
  opened_at      timestamptz not null,
  -- From then on it takes no money; null while it has no end.
  closes_at      timestamptz,
  primary key (bank_code, account_number)
);
create unique index virtual_account_owner on virtual_account (merchant_id, purpose, owner_id, bank_code);

-- Serials of account numbers, handed out in blocks of a hundred; after the last one they start again.
create sequence virtual_account_block minvalue 0 maxvalue 9999999 start 1 cycle;

-- Something that happened, told to the merchant. Written in the transaction that made it happen, sent in the background.
create table event (
  merchant_id     bigint      not null,
  id              bigint      not null,
  kind            text        not null,
  event_type      text        not null,
  -- Every reference by which a person may look for it, the main one first.
  refs            text[]      not null check (cardinality(refs) > 0),
  -- The text as sent and signed.
  body            text        not null,
  status          text        not null check (status in ('PENDING', 'DELIVERED', 'GIVEN_UP', 'NOT_SENT')),
  -- Attempts since it was made or last asked to be sent again: the place in the retry schedule.
  attempts        smallint    not null default 0,
  resent          boolean     not null default false,
  created_at      timestamptz not null,
  -- Business time.
  next_attempt_at timestamptz,
  -- Real time: whoever is sending it has until then.
  leased_until    timestamptz,
  primary key (merchant_id, id)
) with (fillfactor = 80);
create index event_due on event (merchant_id, kind, next_attempt_at) where status = 'PENDING';

-- One try to deliver an event.
create table event_attempt (
  merchant_id  bigint      not null,
  event_id     bigint      not null,
  id           bigint      not null,
  at           timestamptz not null,
  url          text        not null,
  status       smallint,
  body_excerpt text,
  milliseconds integer     not null,
  error        text,
  resent       boolean     not null,
  primary key (merchant_id, event_id, id),
  foreign key (merchant_id, event_id) references event
);

-- What was answered to a request with an Idempotency-Key, to be answered again.
create table idempotency_key (
  merchant_id  bigint      not null,
  path         text        not null,
  key          text        not null,
  body_hash    bytea       not null,
  status       smallint,
  answer       text,
  -- Business time: forgotten a day later.
  created_at   timestamptz not null,
  -- Real time: a twin waits until then for the first answer.
  leased_until timestamptz not null,
  primary key (merchant_id, path, key)
);
create index idempotency_key_age on idempotency_key (created_at);

-- Who did what to a merchant's affairs, beyond the payments themselves. Never changed, never removed.
create table audit (
  merchant_id bigint      not null references merchant,
  id          bigint      not null,
  act         text        not null,
  actor       text        not null,
  reference   text,
  details     json        not null,
  at          timestamptz not null,
  primary key (merchant_id, id)
);
create trigger audit_insert_only before update or delete or truncate on audit execute function refuse_change();
