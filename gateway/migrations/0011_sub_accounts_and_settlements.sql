-- Sub accounts, income splits and settlements.

-- A bank account that may get a part of what a merchant collects. A deleted one takes part in nothing new, but what was
-- agreed before is still paid to it.
create table sub_account (
  merchant_id              bigint      not null references merchant,
  -- In the order in which they were made.
  id                       bigint      not null,
  code                     text        not null check (code ~ '^KBO_SUB_\d{12}$'),
  currency_code            text        not null,
  bank_code                text        not null,
  account_number           text        not null check (account_number ~ '^\d{10}$'),
  -- As the bank has it.
  account_name             text        not null,
  email                    text        not null,
  -- Its share where a split names none, in millionths.
  default_split            integer     not null check (default_split between 0 and 1000000),
  settlement_profile_code  text        not null,
  settlement_report_emails text[]      not null,
  created_at               timestamptz not null,
  deleted_at               timestamptz,
  primary key (merchant_id, code)
);
create trigger sub_account_stays before delete or truncate on sub_account execute function refuse_removal();

-- Money paid out to a merchant for transactions that are complete, with a cap on how many.
create table settlement (
  merchant_id                bigint      not null,
  id                         bigint      not null,
  settlement_reference       text        not null check (settlement_reference ~ '^[A-Z0-9]{20}$'),
  contract_code              text        not null,
  currency_code              text        not null,
  -- The merchant's part: sub accounts have their own payouts.
  amount                     bigint      not null check (amount >= 0),
  transactions_count         integer     not null check (transactions_count > 0),
  destination                text        not null check (destination in ('WALLET', 'BANK')),
  destination_bank_code      text        not null,
  destination_account_number text        not null,
  destination_account_name   text        not null,
  -- COMPLETED once the merchant has the money: at once in the wallet, after the payout at a bank.
  status                     text        not null check (status in ('PENDING', 'COMPLETED')),
  settled_at                 timestamptz not null,
  completed_at               timestamptz check ((completed_at is not null) = (status = 'COMPLETED')),
  primary key (merchant_id, id),
  unique (merchant_id, settlement_reference)
);

-- A transaction in its settlement, which it is in once and for all, and the merchant's part of it.
create table settlement_item (
  merchant_id    bigint not null,
  transaction_id bigint not null,
  settlement_id  bigint not null,
  share          bigint not null check (share >= 0),
  fee            bigint not null check (fee >= 0 and fee <= share),
  primary key (merchant_id, transaction_id),
  foreign key (merchant_id, settlement_id) references settlement
);
create index settlement_item_of_settlement on settlement_item (merchant_id, settlement_id, transaction_id);
create trigger settlement_item_insert_only before update or delete or truncate on settlement_item execute function refuse_change();

-- Money of a settlement that goes to a bank account: the merchant's, or a sub account's. It is sent and asked about by its
-- order.
create table settlement_payout (
  merchant_id      bigint      not null,
  id               bigint      not null,
  settlement_id    bigint      not null,
  beneficiary_type text        not null check (beneficiary_type in ('MERCHANT', 'SUB_ACCOUNT')),
  -- The merchant's code, or the sub account's.
  beneficiary_code text        not null,
  amount           bigint      not null check (amount > 0),
  status           text        not null check (status in ('DUE', 'COMPLETED')),
  -- Where it goes: set anew with each try.
  bank_code        text        not null,
  account_number   text        not null,
  account_name     text        not null,
  -- The inter-bank reference, once it has arrived.
  session_id       text,
  -- Why the last try failed.
  failure          text,
  completed_at     timestamptz check ((completed_at is not null) = (status = 'COMPLETED')),
  primary key (merchant_id, id),
  unique (merchant_id, settlement_id, beneficiary_type, beneficiary_code),
  foreign key (merchant_id, settlement_id) references settlement
);
