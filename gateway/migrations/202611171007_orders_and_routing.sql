-- Orders to partners, how partners are chosen, and the simulated partners.

-- An order: a request to a partner for a row of a feature (a transfer, a refund, a charge …). It is written before it is sent,
-- sent once under its reference, and queried until its outcome is known.
create table rail_order (
  merchant_id     bigint      not null,
  id              bigint      not null,
  -- The feature that placed it and handles its outcome.
  purpose         text        not null check (purpose in ('transfer', 'settlement-payout', 'refund', 'card-charge',
    'card-reversal', 'debit', 'vend', 'return', 'account-open', 'account-close', 'account-rename')),
  -- The row of the feature that it is about.
  subject_id      bigint      not null,
  -- Our reference, by which the partner knows it. An order that never reached the partner is sent under a new one.
  reference       text        not null,
  -- The partner: chosen before the order is sent, and queried from then on. Null until then.
  partner         text,
  -- The queue it waits in. Orders of one slot share a limit of open requests, so that a bank that hangs delays no other.
  slot            text        not null,
  amount          bigint      not null check (amount >= 0),
  -- The ledger account that holds its money while it is open, and the amount held; null if it moves no money.
  account         text,
  held            bigint      not null default 0 check (held >= 0),
  -- HELD: waits for permission. WAITING: to be sent. SENT: to be queried. WATCHED: known, and queried once more because the
  -- money may come back. UNRESOLVED: needs manual review. CONCLUDED: done.
  state           text        not null check (state in ('HELD', 'WAITING', 'SENT', 'WATCHED', 'UNRESOLVED', 'CONCLUDED')),
  -- How often it was sent, each time under another reference.
  tries           smallint    not null check (tries >= 0),
  -- How many queries in a row returned no outcome.
  unknown_answers integer     not null default 0 check (unknown_answers >= 0),
  created_at      timestamptz not null,
  -- Business time: when it is to be sent or queried.
  due_at          timestamptz,
  -- How often it was taken; only the last taker may write the result.
  taken           integer     not null default 0,
  -- The database's own clock: the taker's lease ends then.
  leased_until    timestamptz,
  concluded_at    timestamptz,
  -- The version of the routing table that chose the partner; null if there was none, or no choice.
  routing_version integer,
  primary key (merchant_id, id),
  check ((state in ('WAITING', 'SENT', 'WATCHED')) = (due_at is not null))
) with (fillfactor = 80);
create index rail_order_due on rail_order (state, slot, due_at) where due_at is not null;
create index rail_order_unresolved on rail_order (merchant_id, id) where state = 'UNRESOLVED';

-- A manual decision on an unresolved order. One person proposes the outcome and another confirms it; then the order is
-- concluded as if the partner had said so.
create table order_decision (
  merchant_id       bigint      not null,
  id                bigint      not null,
  order_id          bigint      not null,
  -- The order's reference at the time. Under another reference, the decision does not apply.
  reference         text        not null,
  verdict           text        not null check (verdict in ('succeeded', 'failed', 'not-found')),
  -- Facts that the partner gave with it, by name: sessionId of a transfer, token of a vend.
  told              json        not null,
  proposed_by       text        not null,
  proposed_because  text        not null,
  proposed_at       timestamptz not null,
  confirmed_by      text,
  confirmed_because text,
  confirmed_at      timestamptz,
  -- PROPOSED by one, CONFIRMED by another, CARRIED_OUT; or MOOT: another decision or the partner's own response replaced it.
  state             text        not null check (state in ('PROPOSED', 'CONFIRMED', 'CARRIED_OUT', 'MOOT')),
  ended_at          timestamptz,
  primary key (merchant_id, id),
  constraint order_decision_four_eyes check (
    (state in ('PROPOSED', 'MOOT') and confirmed_by is null) or lower(confirmed_by) <> lower(proposed_by))
);
create unique index order_decision_open on order_decision (merchant_id, order_id) where state in ('PROPOSED', 'CONFIRMED');
create index order_decision_order on order_decision (merchant_id, order_id);
-- Over all merchants: the operator only has the partner's reference.
create index order_decision_reference on order_decision (reference);

-- A version of the routing table: for each operation, the operator's rules that choose a partner. The newest is in effect.
-- Never changed or deleted, since orders name the version that routed them. Not of a merchant.
create table routing_table (
  version integer     primary key check (version > 0),
  -- {"transfer/send": {"rules": [{name, when, use or split}], "otherwise": [partner]}}
  routes  json        not null,
  made_at timestamptz not null,
  made_by text        not null
);
create trigger routing_table_insert_only before update or delete or truncate on routing_table execute function refuse_change();

-- A node's view of a partner, reported every few seconds for the operator. A node that has stopped leaves an old row. Not of a
-- merchant.
create table partner_report (
  node          integer     not null,
  partner       text        not null,
  protocol      text,
  capabilities  text[]      not null,
  last_heard_at timestamptz,
  -- Operations that fail too often, with the state of their circuit breaker: [{operation, state}].
  breakers      json        not null,
  told_at       timestamptz not null,
  primary key (node, partner)
);

-- A reference that a simulated rail remembers, since some outcomes are known only later. Part of the simulated outside world,
-- which knows no merchants.
create table simulated_entry (
  rail      text        not null,
  reference text        not null,
  facts     json        not null,
  at        timestamptz not null,
  primary key (rail, reference)
);
