-- Direct debit: mandates, their authorization, and debits.

-- A mandate: a customer's permission to debit an account between two dates, up to an amount.
create table mandate (
  merchant_id                bigint      not null,
  id                         bigint      not null,
  mandate_code               text        not null,
  mandate_reference          text        not null,
  contract_code              text        not null,
  status                     text        not null check (status in ('INITIATED', 'PENDING_AUTHORIZATION', 'ACTIVE', 'SUSPENDED', 'CANCELLED', 'EXPIRED', 'AUTHORIZATION_EXPIRED', 'FAILED')),
  customer_name              text        not null,
  customer_email_address     text        not null,
  customer_phone_number      text        not null,
  customer_address           text        not null,
  customer_account_number    text        not null check (customer_account_number ~ '^\d{10}$'),
  customer_account_bank_code text        not null,
  customer_account_name      text        not null,
  mandate_description        text        not null,
  redirect_url               text,
  -- Open mandates renew themselves, closed ones end.
  auto_renew                 boolean     not null,
  -- Whether the customer may cancel it.
  customer_cancellation      boolean     not null,
  -- The most that may be debited in a period; null if there is no limit.
  mandate_amount             bigint      check (mandate_amount > 0),
  -- The amount of every debit of a fixed mandate; null if it is flexible.
  debit_amount               bigint      check (debit_amount > 0),
  -- The current period: its number, its dates, and the sum of its PENDING and PAID debits.
  period                     integer     not null check (period > 0),
  starts_at                  timestamptz not null,
  ends_at                    timestamptz not null check (ends_at > starts_at),
  debited                    bigint      not null check (debited >= 0),
  -- The account at a partner bank into which the customer pays the token that authorizes the mandate.
  token_bank_code            text        not null,
  token_account_number       text        not null,
  -- The amount of the token, as agreed when the mandate was made.
  token_amount               bigint      not null default 5000 check (token_amount > 0),
  created_at                 timestamptz not null,
  authorization_ends_at      timestamptz not null,
  -- When the instruction is mailed again; null once it was accepted for delivery.
  instruct_at                timestamptz,
  cancel_requested_at        timestamptz,
  -- The next due time: cancellation, end of the time to authorize, or end of the period.
  due_at                     timestamptz generated always as (
    case
      when status in ('CANCELLED', 'EXPIRED', 'AUTHORIZATION_EXPIRED', 'FAILED') then null
      when cancel_requested_at is not null then cancel_requested_at
      when status in ('INITIATED', 'PENDING_AUTHORIZATION') then authorization_ends_at
      else ends_at
    end) stored,
  primary key (merchant_id, id),
  unique (merchant_id, mandate_code),
  unique (merchant_id, mandate_reference),
  constraint mandate_not_overdrawn check (debited <= mandate_amount)
);
create index mandate_due on mandate (due_at) where due_at is not null;
create index mandate_to_instruct on mandate (instruct_at) where instruct_at is not null;
create index mandate_created on mandate (merchant_id, created_at);

-- A payment of the token with which a customer authorizes a mandate: accepted, or sent back.
create table mandate_token (
  merchant_id          bigint      not null,
  id                   bigint      not null,
  mandate_id           bigint      not null,
  rail_reference       text        not null,
  amount               bigint      not null check (amount > 0),
  payer_name           text,
  payer_account_number text,
  payer_bank_code      text,
  -- Why it was sent back; null if it was accepted.
  reason               text,
  received_at          timestamptz not null,
  -- As in payment.
  partner              text        not null default '',
  primary key (merchant_id, id),
  unique (merchant_id, rail_reference),
  foreign key (merchant_id, mandate_id) references mandate
);

-- A debit under a mandate, sent by its order. The money it collects belongs to its transaction.
create table debit (
  merchant_id           bigint      not null,
  id                    bigint      not null,
  mandate_id            bigint      not null,
  -- The mandate's period that it counts towards.
  period                integer     not null,
  transaction_id        bigint      not null,
  transaction_reference text        not null,
  payment_reference     text        not null,
  amount                bigint      not null check (amount > 0),
  narration             text        not null,
  status                text        not null check (status in ('PENDING', 'PAID', 'FAILED')),
  -- Why the bank declined it.
  reason                text,
  -- The customer's bank's reference, once it is paid. Banks may use one for several debits.
  session_id            text,
  created_at            timestamptz not null,
  primary key (merchant_id, id),
  unique (merchant_id, payment_reference),
  foreign key (merchant_id, mandate_id) references mandate,
  foreign key (merchant_id, transaction_id) references transaction
);
