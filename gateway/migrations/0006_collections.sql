-- Money in: what merchants ask for, what arrives, and the account numbers on which it does.

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
  -- Set where it is an invoice's.
  invoice_reference     text,
  -- Set where the money came, or is to come, into a reserved account.
  reserved_account_id   bigint,
  -- The terms at the time of the request: a later change of the contract does not touch them.
  fee_bearer            text        not null check (fee_bearer in ('MERCHANT', 'CUSTOMER')),
  fee_basis_points      integer     not null,
  fee_cap               bigint,
  fee_flat              bigint      not null,
  underpayment          text        not null check (underpayment in ('ACCEPT', 'REJECT')),
  -- INSTANT, or the time of the day in Lagos.
  settlement_cycle      text        not null default '22:00',
  created_at            timestamptz not null,
  expires_at            timestamptz not null,
  -- Set when nothing more can happen to it.
  completed_at          timestamptz,
  amount_paid           bigint      not null default 0 check (amount_paid >= 0),
  fee                   bigint      not null default 0 check (fee >= 0 and fee <= amount_paid),
  payment_method        text,
  paid_at               timestamptz,
  -- When what was paid falls due to be settled; null while nothing is, and once it has been.
  settles_at            timestamptz,
  primary key (merchant_id, id),
  unique (merchant_id, payment_reference)
) with (fillfactor = 80);
create index transaction_due on transaction (expires_at) where completed_at is null;
create index transaction_settling on transaction (settles_at, merchant_id, id) where settles_at is not null;
create index transaction_of_reserved_account on transaction (merchant_id, reserved_account_id, id)
  where reserved_account_id is not null;

-- Money that arrived for a transaction. The rail's own reference is used once. It is written in the transaction that
-- changes its own transaction, and those are never removed: there is nothing for a foreign key to find.
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
  -- Where it arrived; null where it arrived on no account number.
  bank_code              text,
  account_number         text,
  -- What may be shown of the card, for payments by card.
  card                   json,
  -- What sub accounts have of it, each with its share and the part of the fee that it bears, in kobo.
  splits                 json,
  received_at            timestamptz not null,
  primary key (merchant_id, id),
  unique (merchant_id, rail_reference)
);
create index payment_of_transaction on payment (merchant_id, transaction_id);

-- Money that was sent back to the payer, and why. Nothing of it was kept. What a reserved account refuses has references
-- of its own, but no transaction comes of it.
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
  bank_code            text,
  account_number       text,
  received_at          timestamptz not null,
  primary key (merchant_id, id),
  unique (merchant_id, rail_reference)
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

-- The site on whose page the inline script opened a transaction: only its pages may show that checkout in a frame.
create table checkout_frame (
  merchant_id    bigint not null,
  transaction_id bigint not null,
  origin         text   not null check (origin ~ '^https?://[^/]+$'),
  primary key (merchant_id, transaction_id),
  foreign key (merchant_id, transaction_id) references transaction
);
