-- Where money is, how it moved, and the wallets that hold it.

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
create trigger journal_insert_only before update or delete or truncate on journal execute function refuse_change();

-- A move of money between two accounts. Never changed, never removed. It is written by the statement after its journal's,
-- in one transaction: a foreign key to it cost a fifth of the database's work for a payment, so `kobo ledger verify` looks.
create table move (
  merchant_id bigint   not null,
  journal_id  bigint   not null,
  line        smallint not null,
  source      text     not null,
  target      text     not null,
  amount      bigint   not null check (amount > 0),
  primary key (merchant_id, journal_id, line),
  check (source <> target)
);
create trigger move_insert_only before update or delete or truncate on move execute function refuse_change();

-- A wallet: money that a merchant, or a customer of it, holds with us. What is available in it is the balance of the
-- account wallet/NUMBER. Its row is locked before the balance is read, by all who change it.
create table wallet (
  merchant_id    bigint      not null references merchant,
  id             bigint      not null,
  account_number text        not null check (account_number ~ '^\d{10}$'),
  type           text        not null check (type in ('MAIN', 'CUSTOMER')),
  name           text        not null,
  -- The merchant's own reference of a customer's wallet.
  reference      text,
  customer_name  text,
  customer_email text,
  -- What a customer proved itself with, encrypted: BVN and date of birth. Set on customers' wallets alone.
  bvn_details    bytea       check ((bvn_details is not null) = (type = 'CUSTOMER')),
  created_at     timestamptz not null,
  primary key (merchant_id, id),
  unique (merchant_id, account_number),
  unique (merchant_id, reference),
  check (type = 'MAIN' or (reference is not null and customer_name is not null and customer_email is not null))
);
create unique index wallet_main on wallet (merchant_id) where type = 'MAIN';
create index wallet_of_customer on wallet (merchant_id, lower(customer_email)) where type = 'CUSTOMER';
create trigger wallet_stays before delete or truncate on wallet execute function refuse_removal();

-- A change of what is available in a wallet: a line of its statement. Never changed, never removed.
create table wallet_entry (
  merchant_id           bigint      not null,
  account_number        text        not null,
  id                    bigint      not null,
  type                  text        not null check (type in ('DEBIT', 'CREDIT')),
  amount                bigint      not null check (amount > 0),
  balance_before        bigint      not null check (balance_before >= 0),
  balance_after         bigint      not null check (balance_after >= 0),
  reference             text        not null,
  transaction_reference text        not null,
  narration             text,
  message               text        not null,
  at                    timestamptz not null,
  primary key (merchant_id, account_number, id),
  check (balance_after = balance_before + case type when 'CREDIT' then amount else -amount end)
);
create trigger wallet_entry_insert_only before update or delete or truncate on wallet_entry execute function refuse_change();

-- Money that a bank says was paid into a wallet. The rail's own reference is used once.
create table top_up (
  merchant_id           bigint      not null,
  rail_reference        text        not null,
  wallet_account_number text        not null,
  amount                bigint      not null check (amount > 0),
  payer_name            text,
  payer_account_number  text,
  payer_bank_code       text,
  -- The number that was paid to: the wallet's own, or that of its top-up account.
  bank_code             text        not null,
  account_number        text        not null,
  received_at           timestamptz not null,
  primary key (merchant_id, rail_reference)
);
