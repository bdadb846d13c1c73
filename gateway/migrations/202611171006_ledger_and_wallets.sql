-- The ledger, its verification and totals, and wallets.

-- An account of the ledger and its balance: the sum of all moves into it minus those out of it.
create table account (
  merchant_id bigint not null,
  code        text   not null,
  balance     bigint not null,
  primary key (merchant_id, code),
  -- Only clearing accounts, which mirror money at a bank, and costs may be below zero. A merchant's debt is never above zero.
  constraint account_not_below_zero check (
    case when code = 'debt' then balance <= 0
         else balance >= 0 or code like 'clearing/%' or code like 'costs/%' end)
) with (fillfactor = 50);
create trigger account_stays before delete or truncate on account execute function refuse_removal();

-- A change of a balance that is not in the account's row yet: the balance is the row's plus the sum of these. Accounts that
-- every payment changes get their changes appended here, and a background job folds them in. Only accounts that no one spends
-- from under a lock have them.
create table balance_change (
  merchant_id bigint not null,
  id          bigint not null,
  code        text   not null,
  change      bigint not null,
  primary key (merchant_id, id)
);

-- A journal: the moves of money of one business action, under a key that is used once. The nth move goes from the nth source
-- to the nth target.
create table journal (
  merchant_id bigint      not null,
  id          bigint      not null,
  key         text        not null,
  memo        text        not null,
  posted_at   timestamptz not null,
  -- Null if the journal's moves are rows of `move`.
  sources     text[],
  targets     text[],
  amounts     bigint[],
  primary key (merchant_id, id),
  unique (merchant_id, key),
  -- `kobo ledger verify` checks that no move goes from an account to itself.
  constraint journal_moves_are_whole check (
    sources is null and targets is null and amounts is null
    or (cardinality(sources) > 0
        and cardinality(targets) = cardinality(sources)
        and cardinality(amounts) = cardinality(sources)
        and array_position(sources, null) is null
        and array_position(targets, null) is null
        and 0 < all (amounts)) is true)
);
create trigger journal_insert_only before update or delete or truncate on journal execute function refuse_change();

-- A move of money between two accounts, of a journal that does not hold its moves itself. Never changed or deleted. It has no
-- foreign key, which would cost a fifth of the database's work per payment; `kobo ledger verify` checks it instead.
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

-- How far `kobo ledger verify` has verified a merchant's ledger, and the state it continues from: see
-- core/money/ledger/proof/checkpoint.ts. It may be deleted at any time; then everything is verified from the beginning.
create table ledger_proof (
  merchant_id bigint primary key,
  checkpoint  json   not null
);

-- When the ledger of all merchants was last found correct: since the checkpoints, and from the beginning. One row. Real time.
create table ledger_last_clean (
  only_row boolean     primary key default true check (only_row),
  since_checkpoints_at timestamptz,
  whole_at             timestamptz
);
insert into ledger_last_clean default values;

-- The moves between two kinds of accounts in one hour, summed by a sweep once the hour is final. A kind is an account without
-- its owner: all wallets are one kind. Verified with the ledger.
create table hourly_total (
  merchant_id bigint      not null,
  hour        timestamptz not null,
  source      text        not null,
  target      text        not null,
  -- How many journals.
  count       bigint      not null check (count > 0),
  amount      bigint      not null check (amount > 0),
  primary key (merchant_id, hour, source, target)
);

-- The outcomes of the transactions that were created in one hour. An hour with open transactions is summed again.
create table hourly_outcome (
  merchant_id bigint      not null,
  hour        timestamptz not null,
  status      text        not null,
  is_open     boolean     not null,
  method      text        not null,
  count       bigint      not null check (count > 0),
  amount      bigint      not null,
  primary key (merchant_id, hour, status, is_open, method)
);
create index hourly_outcome_open on hourly_outcome (hour, merchant_id) where is_open;

-- Up to when a merchant's hours are summed. It may be deleted together with the merchant's sums; then they are computed again.
create table hours_summed (
  merchant_id bigint      primary key,
  through     timestamptz not null
);

-- An entry of a long list's index: `count` rows of the merchant's list have ids up to `up_to`. Rows of these lists are never
-- deleted and new ones have higher ids, so an entry stays correct. All entries of a merchant's list may be deleted at any
-- time; then they are computed again.
create table list_mark (
  merchant_id bigint not null,
  -- The table of the list.
  list        text   not null,
  up_to       bigint not null,
  count       bigint not null check (count > 0),
  -- How many rows since the previous entry have each status; set once none of them changes its status any more.
  by_status   jsonb,
  primary key (merchant_id, list, up_to)
);

-- A wallet: money that a merchant, or a merchant's customer, holds with us. Its available balance is that of the account
-- wallet/NUMBER. Every change locks this row before it reads the balance.
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
  -- The customer's BVN and date of birth, encrypted. Only on customers' wallets.
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

-- A line of a wallet's statement: a change of its available balance. Never changed or deleted.
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

-- A credit from a bank into a wallet. The rail's reference is used once.
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
  -- The partner that notified us; see payment.partner.
  partner               text        not null default '',
  primary key (merchant_id, rail_reference)
);
