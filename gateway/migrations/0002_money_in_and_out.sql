-- What all ways of money in and out share: payments by other means than a bank transfer, wallets, mail, and the memory of
-- the simulated rails.

-- A card payment arrives on no account number.
alter table payment
  alter column bank_code drop not null,
  alter column account_number drop not null,
  -- What may be shown of the card, for payments by card.
  add column card json;

-- A credit that a reserved account refuses has references of its own, but no transaction comes of it.
alter table rejected_payment
  drop constraint rejected_payment_merchant_id_transaction_id_fkey,
  alter column bank_code drop not null,
  alter column account_number drop not null;

-- Set where the transaction is an invoice's.
alter table transaction add column invoice_reference text;

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
  created_at     timestamptz not null,
  primary key (merchant_id, id),
  unique (merchant_id, account_number),
  unique (merchant_id, reference),
  check (type = 'MAIN' or (reference is not null and customer_name is not null and customer_email is not null))
);
create unique index wallet_main on wallet (merchant_id) where type = 'MAIN';
create trigger wallet_stays before delete or truncate on wallet execute function refuse_removal();

insert into wallet (merchant_id, id, account_number, type, name, created_at)
select id, id, wallet_account_number, 'MAIN', name, created_at from merchant;

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

-- A mail that the sandbox keeps for its inbox.
create table sandbox_mail (
  merchant_id bigint      not null,
  id          bigint      not null,
  recipient   text        not null,
  subject     text        not null,
  text        text        not null,
  sent_at     timestamptz not null,
  primary key (merchant_id, id)
);

-- What a simulated rail remembers of a reference, since some outcomes are known only later. Belongs to the simulated
-- outside world, which knows no merchants.
create table simulated_entry (
  rail      text        not null,
  reference text        not null,
  facts     json        not null,
  at        timestamptz not null,
  primary key (rail, reference)
);
