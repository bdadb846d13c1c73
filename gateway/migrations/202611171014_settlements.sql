-- Settlements, the sub accounts that share in them, and their daily reports.

-- A sub account: a bank account that may get a share of a merchant's collections. A deleted one joins no new split, but earlier
-- agreements are still paid to it.
create table sub_account (
  merchant_id              bigint      not null references merchant,
  -- In order of creation.
  id                       bigint      not null,
  code                     text        not null check (code ~ '^KBO_SUB_\d{12}$'),
  currency_code            text        not null,
  bank_code                text        not null,
  account_number           text        not null check (account_number ~ '^\d{10}$'),
  -- As the bank has it.
  account_name             text        not null,
  email                    text        not null,
  -- Its share if a split names none, in millionths.
  default_split            integer     not null check (default_split between 0 and 1000000),
  settlement_profile_code  text        not null,
  settlement_report_emails text[]      not null,
  created_at               timestamptz not null,
  deleted_at               timestamptz,
  primary key (merchant_id, code)
);
create trigger sub_account_stays before delete or truncate on sub_account execute function refuse_removal();

-- A settlement: money paid out to a merchant for completed transactions, up to a maximum number of them.
create table settlement (
  merchant_id                bigint      not null,
  id                         bigint      not null,
  settlement_reference       text        not null check (settlement_reference ~ '^[A-Z0-9]{20}$'),
  contract_code              text        not null,
  currency_code              text        not null,
  -- The merchant's part; sub accounts have payouts of their own.
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
  -- The parts of the collected money that repaid debts and that are held in reserve. The amount is the rest.
  debt_repaid                bigint      not null default 0 check (debt_repaid >= 0),
  reserved                   bigint      not null default 0 check (reserved >= 0),
  primary key (merchant_id, id),
  unique (merchant_id, settlement_reference)
);

-- A transaction of a settlement, and the merchant's share of it. A transaction is settled once.
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

-- A payout of a settlement to a bank account, the merchant's or a sub account's. Its order sends and queries it.
create table settlement_payout (
  merchant_id      bigint      not null,
  id               bigint      not null,
  settlement_id    bigint      not null,
  beneficiary_type text        not null check (beneficiary_type in ('MERCHANT', 'SUB_ACCOUNT')),
  -- The merchant's code, or the sub account's.
  beneficiary_code text        not null,
  amount           bigint      not null check (amount > 0),
  status           text        not null check (status in ('DUE', 'COMPLETED')),
  -- The destination, set again with each attempt.
  bank_code        text        not null,
  account_number   text        not null,
  account_name     text        not null,
  -- The inter-bank reference, once it has arrived.
  session_id       text,
  -- Why the last attempt failed.
  failure          text,
  completed_at     timestamptz check ((completed_at is not null) = (status = 'COMPLETED')),
  primary key (merchant_id, id),
  unique (merchant_id, settlement_id, beneficiary_type, beneficiary_code),
  foreign key (merchant_id, settlement_id) references settlement
);

-- A team member who gets the daily settlement report by mail.
create table report_choice (
  merchant_id bigint  not null references merchant,
  person_id   bigint  not null references person,
  -- The first day to report, as days since 1970 in Lagos.
  since       integer not null,
  primary key (merchant_id, person_id)
);

-- A day whose settlement report was made for a merchant: each is made once. Old rows are deleted.
create table settlement_report (
  merchant_id bigint  not null references merchant,
  -- Days since 1970 in Lagos.
  day         integer not null,
  primary key (merchant_id, day)
);
