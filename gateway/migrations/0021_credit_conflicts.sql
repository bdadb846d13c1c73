-- What names money that arrives: partners, and the banks behind one, number what they tell each for themselves.

-- Who told of it. Empty where we asked for the money under a reference of our own, and where this was not written down. The
-- rail reference stays unique for the merchant: where other money of another bank or partner has it, it is the whole name,
-- as adapter/035/FT0001.
alter table payment add column partner text not null default '';
alter table rejected_payment add column partner text not null default '';
alter table top_up add column partner text not null default '';
alter table mandate_token add column partner text not null default '';

-- All money that was told of and decided about, whoever received it: kept where the reason is null, else sent back.
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

-- A credit that contradicts what was told before: its partner, bank and reference are those of other money, on another
-- account or of another amount. Neither kept nor sent back before a person has looked at it.
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
  -- Sealed.
  payer_bvn            bytea,
  narration            text,
  told_at              timestamptz not null,
  -- OPEN: a person is called. TAKING: it is to be received, under a reference of its own. TAKEN: it was. REFUSED: its
  -- account did not take it, and the partner has to send it back. DISMISSED: there is no such money.
  state                text        not null check (state in ('OPEN', 'TAKING', 'TAKEN', 'REFUSED', 'DISMISSED')),
  -- Why its account refused it, or the person dismissed it.
  reason               text,
  primary key (merchant_id, id),
  -- However often it is told.
  unique (merchant_id, rail_reference, bank_code, partner, account_number, amount)
);
create index credit_conflict_open on credit_conflict (state, id) where state in ('OPEN', 'TAKING');
