-- Credits that we do not want are a liability until they are back with their payers.

-- A credit that was not taken: for an account that is closed, expired or nobody's, or of a wrong amount. It is booked to
-- suspense of its partner and goes back as an order. What is for nobody stands under merchant 0, the house.
create table credit_return (
  merchant_id                bigint      not null,
  id                         bigint      not null,
  -- Ours: what the partner knows its orders by, and its journals are keyed by.
  reference                  text        not null,
  -- What names the credit: who told of it, where it arrived, and the bank's own reference.
  partner                    text        not null,
  bank_code                  text        not null,
  rail_reference             text        not null,
  account_number             text        not null,
  amount                     bigint      not null check (amount > 0),
  -- What its account number collects for, and the row that it collects for: as in virtual_account.
  purpose                    text        not null,
  owner_id                   bigint      not null,
  -- Why it was not taken.
  reason                     text        not null,
  payer_name                 text,
  payer_account_number       text,
  payer_bank_code            text,
  received_at                timestamptz not null,
  -- BY_PARTNER: its partner speaks the first version and sends it back itself; nothing is booked. WAITING: a person is
  -- called, since nobody knows where to send it, or it could not be sent there. RETURNING: its order is under way.
  -- RETURNED: the payer has it.
  state                      text        not null check (state in ('BY_PARTNER', 'WAITING', 'RETURNING', 'RETURNED')),
  -- TRANSFER: a transfer to the payer's account. SEND_BACK: the partner sends it to where it came from.
  way                        text        check (way in ('TRANSFER', 'SEND_BACK')),
  destination_bank_code      text,
  destination_account_number text,
  destination_account_name   text,
  -- Its newest order, and how many there were: one that failed is followed by another where a person says so.
  order_id                   bigint,
  sends                      smallint    not null default 0,
  -- Why it waits for a person, where it was sent before.
  failure                    text,
  -- Through whom it went back, and when; and what was said by the person who wrote that down, if one did.
  returned_by                text,
  returned_at                timestamptz,
  note                       text,
  primary key (merchant_id, id),
  unique (merchant_id, reference),
  -- However often it is told.
  unique (merchant_id, rail_reference, bank_code, partner),
  check (state <> 'RETURNING' or (way is not null and order_id is not null)),
  check (way is distinct from 'TRANSFER' or (destination_bank_code is not null and destination_account_number is not null)),
  check ((state = 'RETURNED') = (returned_at is not null and returned_by is not null))
);
create index credit_return_of_owner on credit_return (merchant_id, owner_id);
create index credit_return_waiting on credit_return (id) where state = 'WAITING';

-- A return is an order too.
alter table rail_order drop constraint rail_order_purpose_check;
alter table rail_order add constraint rail_order_purpose_check
  check (purpose in ('transfer', 'settlement-payout', 'refund', 'card-charge', 'card-reversal', 'debit', 'vend', 'return')) not valid;

-- Whether we send it back ourselves where its account does not take it: so it is where the partner speaks the second version.
alter table credit_conflict add column returned_by_us boolean not null default false;
