-- Collections: transactions and their payments, the checkout, payment links, reserved accounts and invoices.

-- A transaction: a payment that a merchant requests from a customer.
create table transaction (
  merchant_id           bigint      not null,
  -- The transaction reference in 63 bits, so that a reference is found without another index.
  id                    bigint      not null,
  transaction_reference text        not null,
  payment_reference     text        not null,
  contract_code         text        not null,
  status                text        not null default 'PENDING' check (status in ('PENDING', 'OVERPAID', 'PARTIALLY_PAID', 'PAID', 'EXPIRED', 'FAILED', 'CANCELLED')),
  amount                bigint      not null check (amount > 0),
  -- The amount due from the customer: the amount, plus the fee if the customer bears it.
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
  -- Set for an invoice.
  invoice_reference     text,
  -- Set if the money arrives in a reserved account.
  reserved_account_id   bigint,
  -- The terms at the time of the request; later changes of the contract do not affect them.
  fee_bearer            text        not null check (fee_bearer in ('MERCHANT', 'CUSTOMER')),
  fee_basis_points      integer     not null,
  fee_cap               bigint,
  fee_flat              bigint      not null,
  underpayment          text        not null check (underpayment in ('ACCEPT', 'REJECT')),
  -- INSTANT, or the time of day in Lagos.
  settlement_cycle      text        not null default '22:00',
  created_at            timestamptz not null,
  expires_at            timestamptz not null,
  -- Set when its status is final.
  completed_at          timestamptz,
  amount_paid           bigint      not null default 0 check (amount_paid >= 0),
  fee                   bigint      not null default 0 check (fee >= 0 and fee <= amount_paid),
  payment_method        text,
  paid_at               timestamptz,
  -- When the paid amount is due to settle; null before payment and after settlement.
  settles_at            timestamptz,
  primary key (merchant_id, id),
  unique (merchant_id, payment_reference)
) with (fillfactor = 80);
create index transaction_due on transaction (expires_at) where completed_at is null;
create index transaction_settling on transaction (settles_at, merchant_id, id) where settles_at is not null;
create index transaction_of_reserved_account on transaction (merchant_id, reserved_account_id, id)
  where reserved_account_id is not null;

-- A payment: money that arrived for a transaction. It is written together with the change of its transaction, which is never
-- deleted, so it needs no foreign key.
create table payment (
  merchant_id            bigint      not null,
  id                     bigint      not null,
  transaction_id         bigint      not null,
  -- The rail's reference, used once per merchant. If money of another bank or partner already has it, the full name is
  -- stored, for example adapter/035/FT0001.
  rail_reference         text        not null,
  method                 text        not null,
  amount                 bigint      not null check (amount > 0),
  fee                    bigint      not null check (fee >= 0 and fee <= amount),
  payer_name             text,
  payer_account_number   text,
  payer_bank_code        text,
  -- The account it arrived on; null if it did not arrive on an account number.
  bank_code              text,
  account_number         text,
  -- The parts of the card that may be shown, for card payments.
  card                   json,
  -- The shares of sub accounts and the parts of the fee that they bear, in kobo.
  splits                 json,
  received_at            timestamptz not null,
  -- The partner that notified us. Empty if we requested the money under our own reference, or if it was not recorded.
  partner                text        not null default '',
  primary key (merchant_id, id),
  unique (merchant_id, rail_reference)
);
create index payment_of_transaction on payment (merchant_id, transaction_id);

-- A payment that was sent back to the payer in full, and the reason. One that a reserved account rejects has references of its
-- own but no transaction.
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
  -- As in payment.
  partner              text        not null default '',
  primary key (merchant_id, id),
  unique (merchant_id, rail_reference)
);

-- The site whose page opened a transaction with the inline script. Only that site may show the checkout in a frame.
create table checkout_frame (
  merchant_id    bigint not null,
  transaction_id bigint not null,
  origin         text   not null check (origin ~ '^https?://[^/]+$'),
  primary key (merchant_id, transaction_id),
  foreign key (merchant_id, transaction_id) references transaction
);

-- A version of the inline script that this gateway has served. Merchants' pages name it by its hash (subresource integrity), so
-- each version is served as long as its row exists, whatever version of the program runs.
create table inline_script (
  -- The start of the SHA-256 of its content, as in its URL.
  hash         text        primary key check (hash ~ '^[0-9a-f]{12}$'),
  content      text        not null,
  published_at timestamptz not null
);

-- A payment link: for a fixed amount or any, to be paid once or often. Each payer gets a transaction of their own; a link that
-- is paid once has one open transaction at a time.
create table payment_link (
  merchant_id     bigint      not null references merchant (id),
  id              bigint      not null,
  -- The merchant's own reference, unique per link.
  reference       text        not null,
  -- The random end of its URL, after /pay/. A directory over all merchants.
  slug            text        not null unique check (slug ~ '^[a-z2-9]{16}$'),
  -- The headline for the payer.
  title           text        not null,
  description     text,
  contract_code   text        not null,
  -- Null if the payer chooses the amount.
  amount          bigint      check (amount > 0),
  -- ONCE: it cannot be paid again after a payment.
  usage           text        not null check (usage in ('ONCE', 'OFTEN')),
  payment_methods text[]      not null,
  -- The page that payers see afterwards.
  redirect_url    text,
  created_at      timestamptz not null,
  -- It cannot be paid from then on.
  expires_at      timestamptz,
  disabled_at     timestamptz,
  -- The newest transaction of a link that is paid once.
  transaction_id  bigint,
  primary key (merchant_id, id),
  unique (merchant_id, reference)
);

-- A limit profile: how much may be paid into a reserved account at once and per day in Lagos. Zero blocks all payments.
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

-- A reserved account: account numbers that a customer keeps. Each credit makes a transaction (GENERAL), or pays the open invoice
-- (INVOICE).
create table reserved_account (
  merchant_id             bigint      not null references merchant,
  id                      bigint      not null,
  -- The merchant's own reference. It names this account for ever, also after deallocation.
  account_reference       text        not null,
  reservation_reference   text        not null check (reservation_reference ~ '^[A-Z0-9]{20}$'),
  type                    text        not null check (type in ('GENERAL', 'INVOICE')),
  contract_code           text        not null,
  account_name            text        not null,
  currency_code           text        not null,
  customer_name           text,
  customer_email          text        not null,
  -- The customer's identity numbers, encrypted.
  bvn                     bytea,
  nin                     bytea,
  restrict_payment_source boolean     not null,
  -- The allowed payers, encrypted.
  allowed_payment_sources bytea,
  -- How payments are split: as the merchant sent it, and as it was agreed at the time.
  income_split_config     json        not null,
  agreed_splits           json        not null,
  split_config_code       text        not null check (split_config_code ~ '^[A-Z0-9]{10}$'),
  limit_profile_code      text,
  meta_data               json        not null,
  -- The transaction of the last attached invoice. The account takes money while it is open.
  invoice_transaction_id  bigint,
  created_at              timestamptz not null,
  deallocated_at          timestamptz,
  primary key (merchant_id, id),
  unique (merchant_id, account_reference),
  unique (merchant_id, reservation_reference),
  foreign key (merchant_id, limit_profile_code) references limit_profile (merchant_id, code),
  foreign key (merchant_id, invoice_transaction_id) references transaction (merchant_id, id),
  -- Without an identity number an account needs limits. A deallocated account needs neither, so that its customer can be erased.
  check (bvn is not null or nin is not null or limit_profile_code is not null or deallocated_at is not null),
  check (type = 'INVOICE' or invoice_transaction_id is null)
) with (fillfactor = 80);
create trigger reserved_account_stays before delete or truncate on reserved_account execute function refuse_removal();

-- The payments into a reserved account on one day in Lagos. Changed only under the lock of the account.
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

-- An invoice: a transaction with the account that its customer was asked to pay into. Its state is the transaction's.
create table invoice (
  merchant_id    bigint not null,
  transaction_id bigint not null,
  -- The API key that made it.
  created_by     text   not null,
  -- How it is split, as the merchant sent it.
  sent_splits    json   not null,
  -- The account to pay into: its own, or the reserved account it is attached to. Null if transfers are not enabled.
  bank_code      text,
  account_number text,
  account_name   text,
  primary key (merchant_id, transaction_id),
  foreign key (merchant_id, transaction_id) references transaction,
  check ((bank_code is null) = (account_number is null) and (bank_code is null) = (account_name is null))
);
