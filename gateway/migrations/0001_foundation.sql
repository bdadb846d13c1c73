-- The foundation: keys, nodes, time, merchants, and what is remembered of their requests.
-- Merchant data has merchant_id as the first column of every primary key, unique index and foreign key, so that
-- merchants can be spread over several databases. The exceptions are directories, which find a merchant from something
-- the outside world holds (an API key, an account number), and say so.
-- Merchants, contracts and accounts are never removed. Tables that every payment writes to have no foreign key to them:
-- the check would lock one and the same row for all of a merchant's payments at once.

-- Keys that encrypt data at rest. Each is itself encrypted ("wrapped") by the master key, which is never in the database.
create table data_key (
  id           smallint    primary key check (id > 0),
  wrapped      bytea       not null,
  created_at   timestamptz not null,
  -- The same key encrypted by the next master key, while one master key replaces the other.
  wrapped_next bytea,
  -- Real time: from then on new values are encrypted with it. Until then every node has learned of it.
  seals_from   timestamptz not null default '-infinity'
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

-- Keeps rows that everything else refers to.
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
  merchant_id               bigint      not null references merchant,
  code                      text        not null check (code ~ '^\d{10}(\d{2})?$'),
  name                      text        not null,
  description               text        not null,
  currency_code             text        not null,
  payment_methods           text[]      not null check (cardinality(payment_methods) > 0),
  account_duration_seconds  integer     not null check (account_duration_seconds > 0),
  fee_bearer                text        not null check (fee_bearer in ('MERCHANT', 'CUSTOMER')),
  underpayment              text        not null check (underpayment in ('ACCEPT', 'REJECT')),
  settlement                text        not null check (settlement in ('INSTANT', 'DAILY')),
  settlement_destination    text        not null check (settlement_destination in ('WALLET', 'BANK')),
  -- When it settles, unless INSTANT: a time of the day in Lagos; and where to, where the destination is a bank.
  settlement_time           text        not null default '22:00' check (settlement_time ~ '^([01]\d|2[0-3]):[0-5]\d$'),
  settlement_bank_code      text,
  settlement_account_number text        check (settlement_account_number ~ '^\d{10}$'),
  settlement_account_name   text,
  created_at                timestamptz not null,
  primary key (merchant_id, code),
  constraint contract_settlement_account check (
    settlement_destination = 'WALLET'
    or (settlement_bank_code is not null and settlement_account_number is not null and settlement_account_name is not null))
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

-- What was answered to a request with an Idempotency-Key, to be answered again: encrypted, and the body kept as a keyed
-- hash alone.
create table idempotency_key (
  merchant_id  bigint      not null,
  path         text        not null,
  key          text        not null,
  body_hash    bytea       not null,
  status       smallint,
  answer       bytea,
  -- The code of the refusal that was answered; null where the request succeeded.
  refusal      text,
  -- Business time: forgotten a day later.
  created_at   timestamptz not null,
  -- Real time: a twin waits until then for the first answer.
  leased_until timestamptz not null,
  primary key (merchant_id, path, key)
);
create index idempotency_key_age on idempotency_key (created_at);

-- Keeps what was written as it was written.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is insert-only: correct a mistake with a reverse journal', tg_table_name;
end $$;

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

-- Fails the transaction where fewer rows were changed than were read before: someone else has changed them meanwhile.
create function refuse_outdated(changed bigint, wanted bigint) returns void language plpgsql as $$
begin
  if changed < wanted then
    raise exception 'what was read without a lock has changed' using errcode = 'KB001';
  end if;
end $$;
