-- Merchants, their keys and contracts, and the prices they pay.

-- A merchant: the owner of the money. Also the directory from API key to merchant.
create table merchant (
  id                    bigint      primary key,
  code                  text        not null unique check (code ~ '^[A-Z0-9]{12}$'),
  name                  text        not null,
  email                 text        not null,
  api_key               text        not null unique check (api_key ~ '^MK_(TEST|PROD)_[A-Z0-9]{10}$'),
  wallet_account_number text        not null unique check (wallet_account_number ~ '^\d{10}$'),
  otp_enabled           boolean     not null default true,
  -- Addresses and CIDR ranges that may call the API.
  ip_whitelist          text[]      not null,
  permissions           text[]      not null,
  low_balance_threshold bigint      check (low_balance_threshold > 0),
  -- Sandbox only: FAIL makes every mail to this merchant fail.
  mail                  text        not null default 'OK' check (mail in ('OK', 'FAIL')),
  created_at            timestamptz not null,
  -- SUSPENDED: it may not call the API and none of its money leaves; credits are still booked. CLOSED: the same, for ever.
  standing              text        not null default 'ACTIVE' check (standing in ('ACTIVE', 'SUSPENDED', 'CLOSED')),
  -- Sites whose pages may open payments with the inline script. In the sandbox, a star allows all sites.
  inline_origins        text[]      not null default '{}',
  -- The bank of the merchant's wallet numbers; null if no bank knows them.
  wallet_bank_code      text        default '50515',
  -- How many people must approve a payout, if the merchant has set it: {freeBelow, twoFrom, soleUpTo, coversApi}, in kobo.
  approval_policy       json,
  -- The header colour of the payer's pages, for example #0c3b2a: dark enough for white text.
  brand_colour          text        check (brand_colour ~ '^#[0-9a-f]{6}$'),
  -- An address or number for payers' questions, as the merchant wrote it.
  support_contact       text        check (length(support_contact) between 1 and 100),
  -- The logo in use.
  logo_hash             text,
  -- The part of its collections that is held in reserve, in basis points, and for how many days; null if none.
  reserve_basis_points  integer     check (reserve_basis_points between 1 and 10000),
  reserve_days          integer     check (reserve_days between 1 and 365)
);
create trigger merchant_stays before delete or truncate on merchant execute function refuse_removal();

-- Rejects an API key of the other environment, whatever program writes it.
create function refuse_foreign_key_of_merchant() returns trigger language plpgsql as $$
begin
  if exists (
    select from environment where name <> case when starts_with(new.api_key, 'MK_PROD_') then 'live' else 'sandbox' end
  ) then
    raise exception 'the database is for the other environment than the API key %', left(new.api_key, 8);
  end if;
  return new;
end $$;
create trigger merchant_of_this_environment before insert or update of api_key on merchant
  for each row execute function refuse_foreign_key_of_merchant();

-- A secret key of a merchant, encrypted. Two are valid while one replaces the other.
create table merchant_secret (
  merchant_id   bigint      not null references merchant,
  id            bigint      not null,
  sealed        bytea       not null,
  created_at    timestamptz not null,
  -- The first login with it: events are signed with it from then on.
  first_used_at timestamptz,
  expires_at    timestamptz,
  primary key (merchant_id, id)
);

-- A merchant's logo, by the hash of its bytes.
create table merchant_logo (
  merchant_id bigint      not null references merchant (id),
  hash        text        not null check (hash ~ '^[0-9a-f]{32}$'),
  -- Only types that cannot contain a script.
  type        text        not null check (type in ('image/png', 'image/jpeg', 'image/webp')),
  content     bytea       not null check (octet_length(content) <= 32768),
  created_at  timestamptz not null,
  primary key (merchant_id, hash)
);

-- A contract: the terms on which a merchant collects.
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
  -- The time of day in Lagos at which it settles, unless INSTANT.
  settlement_time           text        not null default '22:00' check (settlement_time ~ '^([01]\d|2[0-3]):[0-5]\d$'),
  -- The account that it settles to, if the destination is a bank.
  settlement_bank_code      text,
  settlement_account_number text        check (settlement_account_number ~ '^\d{10}$'),
  settlement_account_name   text,
  created_at                timestamptz not null,
  -- Nothing new is collected under it from then on; earlier agreements continue.
  disabled_at               timestamptz,
  primary key (merchant_id, code),
  constraint contract_settlement_account check (
    settlement_destination = 'WALLET'
    or (settlement_bank_code is not null and settlement_account_number is not null and settlement_account_name is not null))
);
create trigger contract_stays before delete or truncate on contract execute function refuse_removal();

-- The price of a service from a time on: for one contract, one merchant, or all merchants without their own price. Rows are
-- never changed: a newer price replaces an older one, and the one made later wins if both start at once. The key is the id,
-- since standard prices have no merchant. All current prices are cached in memory.
create table price (
  id            bigint      primary key,
  -- Null for a standard price.
  merchant_id   bigint      references merchant,
  contract_code text,
  service       text        not null check (service in (
    'collection', 'cash-collection', 'transfer', 'refund', 'paycode', 'verification/bvn-details', 'verification/bvn-account',
    'verification/nin-details', 'mandate-token')),
  -- By amount in kobo, smallest first: [{upTo, basisPoints, flat, cap}], with upTo null in the last one and cap null if there
  -- is none. Null ends the merchant's or contract's own price.
  steps         json        check (json_array_length(steps) > 0),
  -- Business time.
  valid_from    timestamptz not null,
  made_at       timestamptz not null,
  made_by       text        not null,
  foreign key (merchant_id, contract_code) references contract,
  check (contract_code is null or (merchant_id is not null and service in ('collection', 'cash-collection'))),
  check (steps is not null or merchant_id is not null)
);
create index price_of_merchant on price (merchant_id, contract_code, service, valid_from);
create trigger price_insert_only before update or delete or truncate on price execute function refuse_change();

insert into price (id, service, steps, valid_from, made_at, made_by)
select row_number() over (), service, steps, '2024-01-01T00:00:00Z', '2024-01-01T00:00:00Z', 'standard'
  from (values
    ('collection',               json '[{"upTo": null, "basisPoints": 150, "flat": 0, "cap": 200000}]'),
    ('cash-collection',          json '[{"upTo": null, "basisPoints": 100, "flat": 0, "cap": 100000}]'),
    ('transfer',                 json '[{"upTo": 999999, "basisPoints": 0, "flat": 1000, "cap": null},
                                        {"upTo": 5000000, "basisPoints": 0, "flat": 2000, "cap": null},
                                        {"upTo": null, "basisPoints": 0, "flat": 4000, "cap": null}]'),
    ('refund',                   json '[{"upTo": null, "basisPoints": 0, "flat": 1000, "cap": null}]'),
    ('paycode',                  json '[{"upTo": null, "basisPoints": 0, "flat": 5000, "cap": null}]'),
    ('verification/bvn-details', json '[{"upTo": null, "basisPoints": 0, "flat": 1000, "cap": null}]'),
    ('verification/bvn-account', json '[{"upTo": null, "basisPoints": 0, "flat": 1000, "cap": null}]'),
    ('verification/nin-details', json '[{"upTo": null, "basisPoints": 0, "flat": 6000, "cap": null}]'),
    ('mandate-token',            json '[{"upTo": null, "basisPoints": 0, "flat": 5000, "cap": null}]')
  ) as standard (service, steps);

-- A history that `kobo seed` writes for a merchant of the sandbox, day by day, and its progress.
create table seeded_history (
  merchant_id bigint      not null references merchant,
  seed        integer     not null,
  payments    integer     not null check (payments > 0),
  days        integer     not null check (days > 0),
  ends_at     timestamptz not null,
  days_done   integer     not null default 0 check (days_done between 0 and days),
  primary key (merchant_id, seed)
);
