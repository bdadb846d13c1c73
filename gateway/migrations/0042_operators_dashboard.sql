-- The operator's dashboard: what needs two people, and how far the nodes' clocks are off.

-- What one operator asks for and another approves or rejects: a merchant's terms, a price, money that is not simply a
-- merchant's. Carried out in the transaction in which it is approved.
create table operator_change (
  -- 0 where it is about money that is nobody's.
  merchant_id     bigint      not null,
  id              bigint      not null,
  kind            text        not null check (kind in ('SETTINGS', 'PRICE', 'RETURN', 'CONFLICT')),
  -- What is wanted, by the names of its kind.
  wanted          json        not null,
  reason          text        not null,
  asked_by        bigint      not null references person,
  created_at      timestamptz not null,
  status          text        not null check (status in ('WAITING', 'APPLIED', 'REJECTED')),
  decided_by      bigint      references person,
  decided_at      timestamptz,
  decided_because text,
  primary key (merchant_id, id),
  constraint operator_change_decided check ((status = 'WAITING') = (decided_by is null)),
  constraint operator_change_four_eyes check (status <> 'APPLIED' or decided_by <> asked_by)
);
create index operator_change_newest on operator_change (id);

-- How far a node's clock is ahead of the database's; null where the node does not tell.
alter table node add column skew_milliseconds integer;
