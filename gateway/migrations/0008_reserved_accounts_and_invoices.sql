-- Accounts that are reserved for one customer of a merchant, what may be paid into them, and invoices.

-- How much may be paid into a reserved account: at once, and on one day in Lagos. Zero lets nothing pass.
create table limit_profile (
  merchant_id              bigint      not null references merchant,
  id                       bigint      not null,
  code                     text        not null check (code ~ '^[A-Z0-9]{12}$'),
  name                     text        not null,
  single_transaction_value bigint      not null check (single_transaction_value >= 0),
  daily_transaction_value  bigint      not null check (daily_transaction_value >= single_transaction_value),
  daily_transaction_volume integer     not null check (daily_transaction_volume >= 0),
  created_at               timestamptz not null,
  modified_at              timestamptz not null,
  primary key (merchant_id, id),
  unique (merchant_id, code),
  unique (merchant_id, name)
);

-- Account numbers that a customer keeps. Each credit makes a transaction (GENERAL), or pays the open invoice (INVOICE).
create table reserved_account (
  merchant_id             bigint      not null references merchant,
  id                      bigint      not null,
  -- The merchant's own; names this account for ever, also after it was deallocated.
  account_reference       text        not null,
  reservation_reference   text        not null check (reservation_reference ~ '^[A-Z0-9]{20}$'),
  type                    text        not null check (type in ('GENERAL', 'INVOICE')),
  contract_code           text        not null,
  account_name            text        not null,
  currency_code           text        not null,
  customer_name           text,
  customer_email          text        not null,
  -- Numbers by which the state knows the customer, and those of allowed payers: encrypted.
  bvn                     bytea,
  nin                     bytea,
  restrict_payment_source boolean     not null,
  allowed_payment_sources bytea,
  -- How payments are split: as the merchant sent it, and as it was agreed on then.
  income_split_config     json        not null,
  agreed_splits           json        not null,
  split_config_code       text        not null check (split_config_code ~ '^[A-Z0-9]{10}$'),
  limit_profile_code      text,
  meta_data               json        not null,
  -- The transaction of the invoice that was attached last: it takes money while that one is open.
  invoice_transaction_id  bigint,
  created_at              timestamptz not null,
  deallocated_at          timestamptz,
  primary key (merchant_id, id),
  unique (merchant_id, account_reference),
  unique (merchant_id, reservation_reference),
  foreign key (merchant_id, limit_profile_code) references limit_profile (merchant_id, code),
  foreign key (merchant_id, invoice_transaction_id) references transaction (merchant_id, id),
  -- Who has shown neither number may only receive within limits.
  check (bvn is not null or nin is not null or limit_profile_code is not null),
  check (type = 'INVOICE' or invoice_transaction_id is null)
) with (fillfactor = 80);
create trigger reserved_account_stays before delete or truncate on reserved_account execute function refuse_removal();

-- What was paid into a reserved account on one day in Lagos. Changed only by who holds the lock of the account.
create table limit_usage (
  merchant_id         bigint      not null,
  reserved_account_id bigint      not null,
  -- The moment at which the day begins.
  day_start           timestamptz not null,
  value               bigint      not null check (value > 0),
  volume              integer     not null check (volume > 0),
  primary key (merchant_id, reserved_account_id, day_start),
  foreign key (merchant_id, reserved_account_id) references reserved_account
) with (fillfactor = 80);

-- An invoice: a transaction with the account that its customer was told to pay into. Its state is the transaction's.
create table invoice (
  merchant_id    bigint not null,
  transaction_id bigint not null,
  -- The API key that made it.
  created_by     text   not null,
  -- How it is split, as the merchant sent it.
  sent_splits    json   not null,
  -- Where to pay by transfer: an account of its own, or the reserved account it is attached to. Null where transfers are not enabled.
  bank_code      text,
  account_number text,
  account_name   text,
  primary key (merchant_id, transaction_id),
  foreign key (merchant_id, transaction_id) references transaction,
  check ((bank_code is null) = (account_number is null) and (bank_code is null) = (account_name is null))
);
