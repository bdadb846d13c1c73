-- What partners keep for themselves of the money that arrives.

-- The fee, and the tax on it, that a partner told with a credit, taken or not. What is for nobody stands under merchant 0.
create table credit_cost (
  merchant_id    bigint      not null,
  id             bigint      not null,
  -- Ours: its journal is keyed by it.
  reference      text        not null,
  -- What names the credit: who told of it, where it arrived, and the bank's own reference.
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

-- What we have spent is below zero, as what others hold for us.
alter table account drop constraint account_not_below_zero;
alter table account add constraint account_not_below_zero
  check (balance >= 0 or code like 'clearing/%' or code like 'costs/%') not valid;
