-- What people found out at a partner about orders whose outcome nobody could say.

-- One person says what became of an order, another says the same, then it is concluded as if the partner had said so.
create table order_decision (
  merchant_id       bigint      not null,
  id                bigint      not null,
  order_id          bigint      not null,
  -- What the partner knew the order by at the time: under another one, it is another question.
  reference         text        not null,
  verdict           text        not null check (verdict in ('succeeded', 'failed', 'not-found')),
  -- What the partner told with it, by name: sessionId of a transfer, token of a vend.
  told              json        not null,
  proposed_by       text        not null,
  proposed_because  text        not null,
  proposed_at       timestamptz not null,
  confirmed_by      text,
  confirmed_because text,
  confirmed_at      timestamptz,
  -- PROPOSED by one, CONFIRMED by another, CARRIED_OUT; or MOOT: another answer came in its place, or the partner's own.
  state             text        not null check (state in ('PROPOSED', 'CONFIRMED', 'CARRIED_OUT', 'MOOT')),
  ended_at          timestamptz,
  primary key (merchant_id, id),
  constraint order_decision_four_eyes check (
    (state in ('PROPOSED', 'MOOT') and confirmed_by is null) or lower(confirmed_by) <> lower(proposed_by))
);
create unique index order_decision_open on order_decision (merchant_id, order_id) where state in ('PROPOSED', 'CONFIRMED');
create index order_decision_order on order_decision (merchant_id, order_id);
-- Over all merchants: the operator has but the partner's reference.
create index order_decision_reference on order_decision (reference);
