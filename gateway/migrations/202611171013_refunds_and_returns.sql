-- Refunds of payments, and credits that are returned, contradictory or charged for by a partner.

-- A refund: money of a payment that goes back to the customer, from the merchant's wallet. Its order sends and queries it.
create table refund (
  merchant_id                bigint      not null,
  id                         bigint      not null,
  -- Our reference at the rail: sending it twice moves money once.
  reference                  text        not null,
  -- The merchant's.
  refund_reference           text        not null,
  transaction_id             bigint      not null,
  transaction_reference      text        not null,
  status                     text        not null check (status in ('PENDING', 'COMPLETED', 'FAILED')),
  type                       text        not null check (type in ('FULL_REFUND', 'PARTIAL_REFUND')),
  amount                     bigint      not null check (amount > 0),
  fee                        bigint      not null check (fee >= 0),
  currency_code              text        not null,
  refund_reason              text        not null,
  customer_note              text        not null,
  comment                    text        not null,
  wallet_account_number      text        not null,
  -- The payment's method, and so the refund's.
  method                     text        not null check (method in ('ACCOUNT_TRANSFER', 'CARD')),
  -- The card rail's reference of the refunded charge.
  charge_reference           text,
  destination_account_number text,
  destination_account_name   text,
  destination_bank_code      text,
  created_at                 timestamptz not null,
  completed_at               timestamptz,
  -- The refunded payment; null if several are, each with its part, or if it was not recorded.
  payment_id                 bigint,
  primary key (merchant_id, id),
  unique (merchant_id, refund_reference),
  foreign key (merchant_id, transaction_id) references transaction,
  check ((status = 'PENDING') = (completed_at is null)),
  check ((method = 'CARD') = (charge_reference is not null)),
  check ((method = 'ACCOUNT_TRANSFER') = (destination_account_number is not null and destination_bank_code is not null))
);
create index refund_of_transaction on refund (merchant_id, transaction_id);
-- A journal names its refund by our own reference.
create index refund_own_reference on refund (merchant_id, reference);

-- The part of a refund that returns one of several payments, to the original payment method and by an order of its own. A refund
-- of a single payment has no parts.
create table refund_part (
  merchant_id                bigint      not null,
  id                         bigint      not null,
  refund_id                  bigint      not null,
  payment_id                 bigint      not null,
  -- Our reference at the rail.
  reference                  text        not null,
  status                     text        not null check (status in ('PENDING', 'COMPLETED', 'FAILED')),
  amount                     bigint      not null check (amount > 0),
  -- Its share of the refund's fee.
  fee                        bigint      not null check (fee >= 0),
  method                     text        not null check (method in ('ACCOUNT_TRANSFER', 'CARD')),
  charge_reference           text,
  destination_account_number text,
  destination_account_name   text,
  destination_bank_code      text,
  -- Why it failed.
  failure                    text,
  primary key (merchant_id, id),
  unique (merchant_id, reference),
  unique (merchant_id, refund_id, payment_id),
  foreign key (merchant_id, refund_id) references refund,
  check ((status = 'FAILED') = (failure is not null)),
  check ((method = 'CARD') = (charge_reference is not null)),
  check ((method = 'ACCOUNT_TRANSFER') = (destination_account_number is not null and destination_bank_code is not null))
);

-- A credit that was not accepted: its account is closed, expired or unknown, or its amount is wrong. It is booked to the
-- partner's suspense and goes back as an order. A credit without a merchant has merchant 0, Kobo's own account.
create table credit_return (
  merchant_id                bigint      not null,
  id                         bigint      not null,
  -- Our reference at the partner, and the key of its journals.
  reference                  text        not null,
  -- The credit's name: the partner that notified us, the bank it arrived at, and the bank's reference.
  partner                    text        not null,
  bank_code                  text        not null,
  rail_reference             text        not null,
  account_number             text        not null,
  amount                     bigint      not null check (amount > 0),
  -- The purpose and owner of its account number, as in virtual_account.
  purpose                    text        not null,
  owner_id                   bigint      not null,
  -- Why it was not accepted.
  reason                     text        not null,
  payer_name                 text,
  payer_account_number       text,
  payer_bank_code            text,
  received_at                timestamptz not null,
  -- BY_PARTNER: a partner of protocol version 1 sends it back itself; nothing is booked. WAITING: needs manual review, because
  -- the destination is unknown or a return failed. RETURNING: its order is open. RETURNED: the payer has it.
  state                      text        not null check (state in ('BY_PARTNER', 'WAITING', 'RETURNING', 'RETURNED')),
  -- TRANSFER: a transfer to the payer's account. SEND_BACK: the partner sends it to where it came from.
  way                        text        check (way in ('TRANSFER', 'SEND_BACK')),
  destination_bank_code      text,
  destination_account_number text,
  destination_account_name   text,
  -- Its newest order, and how many there were: an operator may send it again after a failure.
  order_id                   bigint,
  sends                      smallint    not null default 0,
  -- Why it waits, if it was sent before.
  failure                    text,
  -- The partner that returned it and the time, with the note of the operator who recorded it, if one did.
  returned_by                text,
  returned_at                timestamptz,
  note                       text,
  primary key (merchant_id, id),
  unique (merchant_id, reference),
  -- One row per credit, however many notifications arrive.
  unique (merchant_id, rail_reference, bank_code, partner),
  check (state <> 'RETURNING' or (way is not null and order_id is not null)),
  check (way is distinct from 'TRANSFER' or (destination_bank_code is not null and destination_account_number is not null)),
  check ((state = 'RETURNED') = (returned_at is not null and returned_by is not null))
);
create index credit_return_of_owner on credit_return (merchant_id, owner_id);
create index credit_return_waiting on credit_return (id) where state = 'WAITING';

-- A credit that contradicts an earlier notification: its partner, bank and reference are those of another credit, with another
-- account or amount. It needs manual review before it is accepted or returned.
create table credit_conflict (
  merchant_id          bigint      not null,
  id                   bigint      not null,
  partner              text        not null,
  bank_code            text        not null,
  rail_reference       text        not null,
  account_number       text        not null,
  amount               bigint      not null check (amount > 0),
  payer_name           text,
  payer_account_number text,
  payer_bank_code      text,
  -- Encrypted.
  payer_bvn            bytea,
  narration            text,
  told_at              timestamptz not null,
  -- OPEN: needs manual review. TAKING: to be received under a reference of its own. TAKEN: received. REFUSED: its account did
  -- not accept it, and it has to be returned. DISMISSED: there is no such money.
  state                text        not null check (state in ('OPEN', 'TAKING', 'TAKEN', 'REFUSED', 'DISMISSED')),
  -- Why its account rejected it, or why the operator dismissed it.
  reason               text,
  -- Whether we return it ourselves if its account does not accept it: so with partners of protocol version 2.
  returned_by_us       boolean     not null default false,
  primary key (merchant_id, id),
  -- One row per credit, however many notifications arrive.
  unique (merchant_id, rail_reference, bank_code, partner, account_number, amount)
);
create index credit_conflict_open on credit_conflict (state, id) where state in ('OPEN', 'TAKING');

-- The fee, and the VAT on it, that a partner reported with a credit, accepted or not. Credits without a merchant have merchant 0.
create table credit_cost (
  merchant_id    bigint      not null,
  id             bigint      not null,
  -- Ours: the key of its journal.
  reference      text        not null,
  -- The credit's name: the partner that notified us, the bank it arrived at, and the bank's reference.
  partner        text        not null,
  bank_code      text        not null,
  rail_reference text        not null,
  fee            bigint      not null check (fee >= 0),
  vat            bigint      not null check (vat >= 0),
  told_at        timestamptz not null,
  primary key (merchant_id, id),
  unique (merchant_id, reference),
  check (fee + vat > 0)
);
create trigger credit_cost_insert_only before update or delete or truncate on credit_cost execute function refuse_change();

-- All credits that were decided on, whatever they paid for: accepted if the reason is null, else sent back.
create view arrived_money as
  select merchant_id, rail_reference, partner, bank_code, account_number, amount, null::text as reason from payment
  union all
  select merchant_id, rail_reference, partner, bank_code, account_number, amount, reason from rejected_payment
  union all
  select merchant_id, rail_reference, partner, bank_code, account_number, amount, null::text from top_up
  union all
  select t.merchant_id, t.rail_reference, t.partner, m.token_bank_code, m.token_account_number, t.amount, t.reason
    from mandate_token t
    join mandate m on m.merchant_id = t.merchant_id and m.id = t.mandate_id;
