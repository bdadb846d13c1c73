-- The one door to the outside: everything that we ask of a partner.

-- An order: something that is asked of a partner for a row of a feature (a transfer, a refund, a charge …). It is written
-- before it is sent, sent once under its reference, and asked about until its outcome is known.
create table rail_order (
  merchant_id     bigint      not null,
  id              bigint      not null,
  -- Which feature placed it, and concludes it.
  purpose         text        not null check (purpose in ('transfer', 'settlement-payout', 'refund', 'card-charge', 'card-reversal', 'debit', 'vend')),
  -- The row of the feature that it is about.
  subject_id      bigint      not null,
  -- Ours, and what the partner knows it by. What never reached the partner is sent again under another one.
  reference       text        not null,
  -- Through whom it went; null until then.
  partner         text,
  -- Whom it waits with: orders of one slot share what may be under way at once, so that a bank that hangs delays no other.
  slot            text        not null,
  amount          bigint      not null check (amount > 0),
  -- The account of the ledger that holds its money while it is open, and how much; null where it takes none along.
  account         text,
  held            bigint      not null default 0 check (held >= 0),
  -- HELD: waits for leave. WAITING: to be sent. SENT: under way, to be asked about. WATCHED: known, and asked about once
  -- more because the money may come back. UNRESOLVED: a person is called. CONCLUDED: nothing is left to do.
  state           text        not null check (state in ('HELD', 'WAITING', 'SENT', 'WATCHED', 'UNRESOLVED', 'CONCLUDED')),
  -- How often it was sent, each time under another reference.
  tries           smallint    not null check (tries >= 0),
  -- How often in a row nobody knew what became of it.
  unknown_answers integer     not null default 0 check (unknown_answers >= 0),
  created_at      timestamptz not null,
  -- Business time: when it is to be sent, or asked about.
  due_at          timestamptz,
  -- How often somebody took it; whoever took it last may write down what came of it.
  taken           integer     not null default 0,
  -- The database's own clock: whoever took it has until then.
  leased_until    timestamptz,
  concluded_at    timestamptz,
  primary key (merchant_id, id),
  check ((state in ('WAITING', 'SENT', 'WATCHED')) = (due_at is not null))
) with (fillfactor = 80);
create index rail_order_due on rail_order (state, slot, due_at) where due_at is not null;
create index rail_order_unresolved on rail_order (merchant_id, id) where state = 'UNRESOLVED';

-- What a simulated rail remembers of a reference, since some outcomes are known only later. Belongs to the simulated
-- outside world, which knows no merchants.
create table simulated_entry (
  rail      text        not null,
  reference text        not null,
  facts     json        not null,
  at        timestamptz not null,
  primary key (rail, reference)
);
