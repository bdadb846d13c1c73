-- Changes that need two operators.

-- A change that one operator requests and another approves or rejects: a merchant's terms, a price, unassigned money, a dispute,
-- an operator's role. It is applied in the transaction that approves it.
create table operator_change (
  -- 0 if the money has no merchant.
  merchant_id     bigint      not null,
  id              bigint      not null,
  kind            text        not null check (kind in ('SETTINGS', 'PRICE', 'RETURN', 'CONFLICT', 'DISPUTE', 'DISPUTE_END', 'TEAM')),
  -- The requested change, with the fields of its kind.
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
