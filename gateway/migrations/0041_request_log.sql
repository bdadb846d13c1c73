-- What merchants' servers asked, and what they were answered.

-- A request that a merchant's server made of the API, for its developers to look up. It is no record that anything rests on:
-- written after the answer, some are left out where too many come, and the old ones go. Texts are kept in the sandbox alone,
-- with what is secret masked.
create table request_log (
  merchant_id   bigint      not null,
  id            bigint      not null,
  at            timestamptz not null,
  method        text        not null,
  -- As the contract has it: /api/v2/transactions/:transactionReference
  route         text        not null,
  status        integer     not null,
  outcome       text        not null check (outcome in ('SUCCEEDED', 'REFUSED', 'FAILED')),
  -- The code of the refusal.
  refusal       text,
  -- What it was about, as far as the request named something.
  reference     text,
  microseconds  integer     not null,
  request_id    text        not null,
  address       text        not null,
  -- So many of the merchant were left out before it.
  left_out      integer     not null default 0,
  -- The path and query as they were asked, and both bodies: sandbox alone.
  url           text,
  request_body  text,
  answer_body   text,
  primary key (merchant_id, id)
);
