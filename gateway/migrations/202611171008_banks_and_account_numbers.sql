-- Banks, and the account numbers on which money arrives.

-- A bank as customers and other banks know it, and its capabilities. The program adds the banks that it ships with if they are
-- missing, and keeps the operator's changes. None is deleted, since earlier payments name it.
create table bank (
  -- The bank's code in the API.
  code           text        primary key check (code ~ '^\d{3,6}$'),
  name           text        not null check (length(name) between 1 and 60),
  -- The code to dial to reach the bank, for example *737#; null if there is none.
  base_ussd_code text,
  -- The code to dial to pay, with the placeholders Amount and AccountNumber; null if that is not possible.
  ussd_template  text,
  -- The institution's number in the inter-bank network, with which session ids start.
  nip_bank_code  text        not null check (nip_bank_code ~ '^\d{6}$'),
  -- Whether its accounts accept transfers.
  transfers      boolean     not null,
  -- Whether its accounts can be debited under a mandate.
  direct_debit   boolean     not null,
  -- The lowest is listed first.
  place          integer     not null,
  created_at     timestamptz not null,
  -- It can no longer be chosen from then on.
  disabled_at    timestamptz
);

-- A source of account numbers: a prefix that a bank has assigned to us, or a bank that issues each number on request. Without
-- a source at a bank, no account is opened there. A sandbox has its own sources.
create table account_source (
  -- The operator's name for it.
  code               text        primary key check (code ~ '^[a-z0-9][a-z0-9-]{0,31}$'),
  -- The partner's code in its manifest: it notifies us of credits and issues numbers.
  partner            text        not null,
  bank_code          text        not null check (bank_code ~ '^\d{3,6}$'),
  kind               text        not null check (kind in ('prefix', 'issued')),
  -- The digits its numbers begin with. In a sandbox it may be empty, for all numbers of the bank.
  prefix             text        check (prefix ~ '^\d{0,8}$'),
  -- Whether the last digit is a check digit by the CBN's rule.
  check_digit        text        check (check_digit in ('nuban', 'none')),
  -- How many days a closed number rests before it is reused.
  rest_days          integer     check (rest_days >= 0),
  -- The operator's own account at the bank, which receives the money of these numbers.
  settlement_account text,
  -- Whether wallets get their numbers here.
  for_wallets        boolean     not null default false,
  -- The lowest is used if no bank is named.
  place              integer     not null,
  created_at         timestamptz not null,
  -- No account is opened here from then on; existing ones continue.
  disabled_at        timestamptz,
  check ((kind = 'prefix') = (prefix is not null and check_digit is not null and rest_days is not null)),
  check (kind = 'prefix' or not for_wallets)
);

-- An account number at a partner bank, its merchant and its purpose. The directory from account number to merchant.
create table virtual_account (
  bank_code      text        not null,
  account_number text        not null check (account_number ~ '^\d{10}$'),
  merchant_id    bigint      not null,
  purpose        text        not null,
  -- The row it collects for: the id of the transaction if the purpose is 'transaction'.
  owner_id       bigint      not null,
  account_name   text        not null,
  opened_at      timestamptz not null,
  -- It takes no money from then on; null if it has no end.
  closes_at      timestamptz,
  primary key (bank_code, account_number)
);
create unique index virtual_account_owner on virtual_account (merchant_id, purpose, owner_id, bank_code);

-- Serials of account numbers, handed out in blocks of a hundred; they start over after the last one.
create sequence virtual_account_block minvalue 0 maxvalue 9999999 start 1 cycle;

-- A request to a bank to issue an account number, with an order of the same id. It is made before the thing that needs the
-- number exists, so it is found by its purpose and key: a second request for the same gets this number.
create table account_request (
  merchant_id    bigint      not null,
  id             bigint      not null,
  purpose        text        not null,
  -- The merchant's reference of the transaction, account, mandate, wallet or invoice.
  owner_key      text        not null,
  bank_code      text        not null,
  -- The code of the partner that issues it and answers queries about it.
  partner        text        not null,
  account_name   text        not null,
  -- Until when it is needed; null if it has no end.
  expires_at     timestamptz,
  -- ASKED: outcome unknown. OPENED: issued, not in use yet. USED: in the directory of account numbers. REFUSED: rejected by
  -- the bank. LOST: the bank never got the request. CLOSING: the bank is to close it. CLOSED: done.
  state          text        not null check (state in ('ASKED', 'OPENED', 'USED', 'REFUSED', 'LOST', 'CLOSING', 'CLOSED')),
  account_number text,
  -- Until when the bank keeps it for us; null if it has no end.
  closes_at      timestamptz,
  reason         text,
  created_at     timestamptz not null,
  -- Whether its bank is still to be notified of a new account name.
  renamed        boolean     not null default false,
  primary key (merchant_id, id),
  check ((account_number is not null) = (state in ('OPENED', 'USED', 'CLOSING', 'CLOSED')))
);
create unique index account_request_open on account_request (merchant_id, purpose, owner_key, bank_code)
  where state in ('ASKED', 'OPENED');
create index account_request_number on account_request (bank_code, account_number) where account_number is not null;
create index account_request_unused on account_request (created_at) where state = 'OPENED';
create index account_request_closing on account_request (merchant_id, id) where state = 'CLOSING';
create index account_request_renamed on account_request (merchant_id, id) where renamed;

-- The previous owner of a number that its bank has issued to us again, for credits of that time.
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
