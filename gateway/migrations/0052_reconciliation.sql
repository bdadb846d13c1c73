-- The books held against what banks say: what belongs together, what is left, who decided about it, and which days are closed.

-- Lines of statements and entries of the books that belong together, or one that has no counterpart. MATCHED: both say the same.
-- OPEN: they do not, and a person is called. EXPLAINED: a person has said why, and nothing was booked. CREDITING: to be received
-- as a credit. BOOKED: a journal of a person's decision makes up for the difference.
create table reconciliation_item (
  partner    text    not null references statement_account,
  id         bigint  not null,
  state      text    not null check (state in ('MATCHED', 'OPEN', 'EXPLAINED', 'CREDITING', 'BOOKED')),
  -- By what they were found to belong together; null where nothing was.
  matched_by text,
  -- Why a person is called, or was.
  reason     text,
  -- Of the first of them.
  day        integer not null,
  -- The last day of any of them, once they say the same; from then on nothing is left to explain.
  settled_on integer,
  -- How much more the bank has than the books.
  difference bigint  not null,
  -- What a person said who explained it.
  note       text,
  primary key (partner, id),
  check ((settled_on is not null) = (state in ('MATCHED', 'BOOKED'))),
  check (settled_on is null or difference = 0)
);
create index reconciliation_item_unsettled on reconciliation_item (partner, id) where settled_on is null;
create index reconciliation_item_settled on reconciliation_item (partner, settled_on);

-- What it belongs to.
alter table statement_line add column item_id bigint;
alter table statement_line add constraint statement_line_item_fkey foreign key (partner, item_id) references reconciliation_item;
create index statement_line_loose on statement_line (partner, id) where item_id is null;
create index statement_line_item on statement_line (partner, item_id);

-- What a journal does to what a partner holds, by the books.
create table reconciliation_entry (
  partner     text    not null references statement_account,
  merchant_id bigint  not null,
  -- The journal's.
  key         text    not null,
  day         integer not null,
  -- Above zero where the partner holds more by it.
  amount      bigint  not null check (amount <> 0),
  -- PAYMENT, or COST: what the partner kept for itself.
  kind        text    not null check (kind in ('PAYMENT', 'COST')),
  -- By which means: what partners have prices for.
  method      text    not null,
  -- What we earned by it.
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

-- What one person says is to be done about an item, and another says too: then it is carried out. Its journals are the house's.
create table reconciliation_decision (
  merchant_id       bigint      not null default 0 check (merchant_id = 0),
  id                bigint      not null,
  partner           text        not null references statement_account,
  item_id           bigint      not null,
  -- What is done about it: booked as a cost, as the operator's own money, as moved to or from another partner, to suspense, or
  -- received as a credit, and with what: {"as": "cost"}, {"as": "moved", "other": "wema"}.
  wanted            json        not null,
  -- What the item came to when it was proposed: another sum is another question.
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

-- A day that is closed: what the bank had, what the books had, and what explains the difference. It does not change any more.
create table reconciliation_day (
  partner   text        not null references statement_account,
  day       integer     not null,
  bank      bigint      not null,
  books     bigint      not null,
  -- What makes up the difference: [{id, reason, day, amount, note}].
  explained json        not null,
  lines     integer     not null,
  entries   integer     not null,
  closed_at timestamptz not null,
  closed_by text        not null,
  primary key (partner, day)
);
create trigger reconciliation_day_insert_only before update or delete or truncate on reconciliation_day execute function refuse_change();

-- Nothing comes into a day that is closed.
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
