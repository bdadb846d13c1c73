-- What each hour brought, so that a month can be shown without reading it.

-- What moved between kinds of accounts in one hour: a sum of moves, made by a sweep once the hour is at rest. A kind is an
-- account without whose it is: all wallets are one. Proven with the books.
create table hourly_total (
  merchant_id bigint      not null,
  hour        timestamptz not null,
  source      text        not null,
  target      text        not null,
  -- How many journals.
  count       bigint      not null check (count > 0),
  amount      bigint      not null check (amount > 0),
  primary key (merchant_id, hour, source, target)
);

-- What became of the transactions that were asked for in one hour. Those that are open may still change: such an hour is summed
-- up again.
create table hourly_outcome (
  merchant_id bigint      not null,
  hour        timestamptz not null,
  status      text        not null,
  is_open     boolean     not null,
  method      text        not null,
  count       bigint      not null check (count > 0),
  amount      bigint      not null,
  primary key (merchant_id, hour, status, is_open, method)
);
create index hourly_outcome_open on hourly_outcome (hour, merchant_id) where is_open;

-- Up to when the hours of a merchant are summed up. It may be removed, with the merchant's sums: then they are made anew.
create table hours_summed (
  merchant_id bigint      primary key,
  through     timestamptz not null
);
