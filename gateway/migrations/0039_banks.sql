-- The list of banks, which is the operator's.

-- A bank as customers and other banks know it, and what it can do. The program adds those that it brings along and that are
-- not there yet; what the operator has made of one stays. None is taken away: earlier payments name it.
create table bank (
  -- The bank's code in the API.
  code           text        primary key check (code ~ '^\d{3,6}$'),
  name           text        not null check (length(name) between 1 and 60),
  -- What a customer dials to reach the bank, as *737#; null where nothing can be dialled.
  base_ussd_code text,
  -- What a customer dials to pay, with the words Amount and AccountNumber to be filled in; null where that is not possible.
  ussd_template  text,
  -- The institution's number among banks, with which session ids start.
  nip_bank_code  text        not null check (nip_bank_code ~ '^\d{6}$'),
  -- Whether money can be sent to its accounts.
  transfers      boolean     not null,
  -- Whether its accounts can be debited under a mandate.
  direct_debit   boolean     not null,
  -- The lowest one is listed first.
  place          integer     not null,
  created_at     timestamptz not null,
  -- From then on nobody can choose it.
  disabled_at    timestamptz
);
