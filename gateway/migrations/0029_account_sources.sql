-- Where account numbers come from: what banks have agreed with the operator.

-- A source of account numbers: a prefix that a bank has assigned, under which numbers are made here, or a bank that issues
-- each number when it is asked for one. Without a source at a bank no account is opened there. A sandbox has its own.
create table account_source (
  -- What the operator calls it.
  code               text        primary key check (code ~ '^[a-z0-9][a-z0-9-]{0,31}$'),
  -- Whom we have it from, by the code in the partner's manifest: who tells of its credits, and is asked for its numbers.
  partner            text        not null,
  bank_code          text        not null check (bank_code ~ '^\d{3,6}$'),
  kind               text        not null check (kind in ('prefix', 'issued')),
  -- The digits with which its numbers begin. A sandbox may have none, and so all numbers of the bank.
  prefix             text        check (prefix ~ '^\d{0,8}$'),
  -- How the last digit follows from the others: by the CBN's rule, or not at all.
  check_digit        text        check (check_digit in ('nuban', 'none')),
  -- How long a closed number rests before it is given to somebody else.
  rest_days          integer     check (rest_days >= 0),
  -- The operator's own account at the bank, on which the money of these numbers lands.
  settlement_account text,
  -- Whether wallets have their numbers here.
  for_wallets        boolean     not null default false,
  -- The lowest one comes first: accounts are opened there where nobody names a bank.
  place              integer     not null,
  created_at         timestamptz not null,
  -- From then on no account is opened here; those that there are go on.
  disabled_at        timestamptz,
  check ((kind = 'prefix') = (prefix is not null and check_digit is not null and rest_days is not null)),
  check (kind = 'prefix' or not for_wallets)
);

-- The bank at which a merchant's wallets have their numbers; null where they are numbers of ours alone, which no bank knows.
alter table merchant add column wallet_bank_code text default '50515';
