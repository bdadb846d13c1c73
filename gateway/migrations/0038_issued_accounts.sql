-- Account numbers that banks issue: asked for before they are shown, and asked about until it is known what became of that.

-- An account number that a bank was asked to issue, under an order with the same id. It is asked for before that which
-- needs it exists, so it is known by whom it is for: whoever asks again for the same gets this one, and no second.
create table account_request (
  merchant_id    bigint      not null,
  id             bigint      not null,
  purpose        text        not null,
  -- What it is for, as the merchant calls it: the reference of the transaction, account, mandate, wallet or invoice.
  owner_key      text        not null,
  bank_code      text        not null,
  -- Who is asked for it, by the partner's code, and about it for ever.
  partner        text        not null,
  account_name   text        not null,
  -- Until when it is needed; null where it has no end.
  expires_at     timestamptz,
  -- ASKED: nobody knows yet. OPENED: the bank has issued it, and nothing has it yet. USED: it is in the directory of account
  -- numbers. REFUSED: the bank has said no. LOST: the bank never got the request. CLOSING: the bank is to be told that it
  -- takes no more money. CLOSED: it was.
  state          text        not null check (state in ('ASKED', 'OPENED', 'USED', 'REFUSED', 'LOST', 'CLOSING', 'CLOSED')),
  account_number text,
  -- Until when the bank keeps it for us; null where it has no end.
  closes_at      timestamptz,
  reason         text,
  created_at     timestamptz not null,
  primary key (merchant_id, id),
  check ((account_number is not null) = (state in ('OPENED', 'USED', 'CLOSING', 'CLOSED')))
);
create unique index account_request_open on account_request (merchant_id, purpose, owner_key, bank_code)
  where state in ('ASKED', 'OPENED');
create index account_request_number on account_request (bank_code, account_number) where account_number is not null;
create index account_request_unused on account_request (created_at) where state = 'OPENED';
create index account_request_closing on account_request (merchant_id, id) where state = 'CLOSING';

-- Whose a number was before its bank gave it to us once more, for credits of that time.
create table earlier_account (
  bank_code      text        not null,
  account_number text        not null,
  merchant_id    bigint      not null,
  purpose        text        not null,
  owner_id       bigint      not null,
  account_name   text        not null,
  opened_at      timestamptz not null,
  closes_at      timestamptz not null,
  primary key (bank_code, account_number, opened_at)
);

-- To ask for an account is an order too, and moves no money.
alter table rail_order drop constraint rail_order_purpose_check;
alter table rail_order add constraint rail_order_purpose_check check (purpose in ('transfer', 'settlement-payout', 'refund',
  'card-charge', 'card-reversal', 'debit', 'vend', 'return', 'account-open', 'account-close')) not valid;
alter table rail_order drop constraint rail_order_amount_check;
alter table rail_order add constraint rail_order_amount_check check (amount >= 0) not valid;
