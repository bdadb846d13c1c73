-- Reconciliation of the ledger with the statements of banks and other partners. It belongs to the operator, not to merchants.
-- Days are counted from 1970 in Lagos.

-- An account of ours at a partner, whose statements are compared with the ledger.
create table statement_account (
  partner         text        primary key,
  -- Its number in the partner's statements; null if they have none.
  account_number  text,
  -- How to read its files, and the words that mark the partner's own charges.
  mapping         json        not null,
  -- The first reconciled day, and the balances at its start: at the bank, and by the ledger.
  began_on        integer     not null,
  opening_balance bigint      not null,
  opening_held    bigint      not null,
  -- The ledger's entries were gathered up to here.
  gathered_until  timestamptz not null,
  created_at      timestamptz not null
);
create trigger statement_account_stays before delete or truncate on statement_account execute function refuse_removal();

-- A statement file that was imported. Importing the same file again changes nothing.
create table statement_file (
  partner     text        not null references statement_account,
  id          bigint      not null,
  -- SHA-256 of its content.
  hash        text        not null,
  name        text        not null,
  -- How many lines it has, and how many of them were new.
  lines       integer     not null,
  new_lines   integer     not null,
  first_day   integer,
  last_day    integer,
  imported_at timestamptz not null,
  primary key (partner, id),
  unique (partner, hash)
);
create trigger statement_file_insert_only before update or delete or truncate on statement_file execute function refuse_change();

-- A bank's balance at the end of a day. A later file may correct it until the day is closed.
create table statement_balance (
  partner text    not null references statement_account,
  day     integer not null,
  amount  bigint  not null,
  file_id bigint  not null,
  primary key (partner, day)
);

-- A reconciliation item: statement lines and ledger entries that belong together, or one without a counterpart. MATCHED: both
-- agree. OPEN: they differ, and it needs manual review. EXPLAINED: an operator has explained it; nothing was booked.
-- CREDITING: to be received as a credit. BOOKED: an operator's decision has booked the difference.
create table reconciliation_item (
  partner    text    not null references statement_account,
  id         bigint  not null,
  state      text    not null check (state in ('MATCHED', 'OPEN', 'EXPLAINED', 'CREDITING', 'BOOKED')),
  -- The rule that matched them; null if none did.
  matched_by text,
  -- Why it needs, or needed, manual review.
  reason     text,
  -- The day of the first of them.
  day        integer not null,
  -- The last day of any of them, once they agree; nothing is left to explain from then on.
  settled_on integer,
  -- How much more the bank has than the ledger.
  difference bigint  not null,
  -- The operator's explanation.
  note       text,
  primary key (partner, id),
  check ((settled_on is not null) = (state in ('MATCHED', 'BOOKED'))),
  check (settled_on is null or difference = 0)
);
create index reconciliation_item_unsettled on reconciliation_item (partner, id) where settled_on is null;
create index reconciliation_item_settled on reconciliation_item (partner, settled_on);

-- A line of a bank's statement: money that came or went.
create table statement_line (
  partner        text    not null references statement_account,
  id             bigint  not null,
  file_id        bigint  not null,
  -- Its identity: day, amount, the bank's reference, and its position among equal ones. So a line in two files is one row.
  key            text    not null,
  day            integer not null,
  -- Above zero if it came in.
  amount         bigint  not null check (amount <> 0),
  is_fee         boolean not null,
  bank_reference text,
  named          text[]  not null,
  account_number text,
  name           text,
  narration      text,
  -- The item it belongs to.
  item_id        bigint,
  primary key (partner, id),
  unique (partner, key),
  constraint statement_line_item_fkey foreign key (partner, item_id) references reconciliation_item
);
create index statement_line_day on statement_line (partner, day);
create index statement_line_loose on statement_line (partner, id) where item_id is null;
create index statement_line_item on statement_line (partner, item_id);
create trigger statement_line_stays before delete or truncate on statement_line execute function refuse_removal();

-- A ledger entry: a journal's effect on the money that a partner holds.
create table reconciliation_entry (
  partner     text    not null references statement_account,
  merchant_id bigint  not null,
  -- The journal's key.
  key         text    not null,
  day         integer not null,
  -- Above zero if the partner holds more by it.
  amount      bigint  not null check (amount <> 0),
  -- PAYMENT, or COST: a charge that the partner kept.
  kind        text    not null check (kind in ('PAYMENT', 'COST')),
  -- The method that the partner has a price for.
  method      text    not null,
  -- Our income from it.
  income      bigint  not null,
  named       text[]  not null,
  item_id     bigint,
  primary key (partner, merchant_id, key),
  foreign key (partner, item_id) references reconciliation_item
);
create index reconciliation_entry_loose on reconciliation_entry (partner, day) where item_id is null;
create index reconciliation_entry_item on reconciliation_entry (partner, item_id);
create trigger reconciliation_entry_stays before delete or truncate on reconciliation_entry execute function refuse_removal();
create index reconciliation_entry_day on reconciliation_entry (partner, day);

-- A decision on an item: one operator proposes it and another confirms it, then it is carried out. Its journals belong to Kobo's
-- own account, merchant 0.
create table reconciliation_decision (
  merchant_id       bigint      not null default 0 check (merchant_id = 0),
  id                bigint      not null,
  partner           text        not null references statement_account,
  item_id           bigint      not null,
  -- How to book it: as a cost, as the operator's own money, as moved to or from another partner, to suspense, or as a received
  -- credit: {"as": "cost"}, {"as": "moved", "other": "wema"}.
  wanted            json        not null,
  -- The item's difference when it was proposed. The decision does not apply to another one.
  difference        bigint      not null,
  proposed_by       text        not null,
  proposed_because  text        not null,
  proposed_at       timestamptz not null,
  confirmed_by      text,
  confirmed_because text,
  confirmed_at      timestamptz,
  state             text        not null check (state in ('PROPOSED', 'CARRIED_OUT', 'MOOT')),
  primary key (merchant_id, id),
  constraint reconciliation_decision_four_eyes check (
    (state = 'CARRIED_OUT') = (confirmed_by is not null) and coalesce(lower(confirmed_by) <> lower(proposed_by), true))
);
create unique index reconciliation_decision_open on reconciliation_decision (partner, item_id) where state = 'PROPOSED';
create index reconciliation_decision_item on reconciliation_decision (partner, item_id);

-- A closed day: the bank's balance, the ledger's balance, and the explanation of the difference. It never changes.
create table reconciliation_day (
  partner   text        not null references statement_account,
  day       integer     not null,
  bank      bigint      not null,
  books     bigint      not null,
  -- The items that make up the difference: [{id, reason, day, amount, note}].
  explained json        not null,
  lines     integer     not null,
  entries   integer     not null,
  closed_at timestamptz not null,
  closed_by text        not null,
  primary key (partner, day)
);
create trigger reconciliation_day_insert_only before update or delete or truncate on reconciliation_day execute function refuse_change();

-- Rejects rows of a closed day.
create function refuse_closed_day() returns trigger language plpgsql as $$
begin
  if exists (select from reconciliation_day d where d.partner = new.partner and d.day >= new.day) then
    raise exception 'the day % of % is closed', date '1970-01-01' + new.day, new.partner;
  end if;
  return new;
end $$;
create trigger statement_line_of_closed_day before insert or update of day, amount on statement_line
  for each row execute function refuse_closed_day();
create trigger statement_balance_of_closed_day before insert or update on statement_balance
  for each row execute function refuse_closed_day();
create trigger reconciliation_entry_of_closed_day before insert or update of day, amount on reconciliation_entry
  for each row execute function refuse_closed_day();

-- A partner's price for a method, from a time on. Rows are never changed: a newer price replaces an older one, and the one made
-- later wins if both start at once.
create table partner_price (
  id               bigint      primary key,
  partner          text        not null,
  -- As in reconciliation_entry: bank-transfer, card, transfers, refunds, …
  method           text        not null,
  -- By amount in kobo, smallest first: [{upTo, basisPoints, flat, cap}], as in price.
  steps            json        not null check (json_array_length(steps) > 0),
  -- The VAT on top of it.
  vat_basis_points integer     not null check (vat_basis_points between 0 and 10000),
  -- Business time.
  valid_from       timestamptz not null,
  made_at          timestamptz not null,
  made_by          text        not null
);
create index partner_price_of_partner on partner_price (partner, method, valid_from);
create trigger partner_price_insert_only before update or delete or truncate on partner_price execute function refuse_change();
