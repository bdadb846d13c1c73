-- Several partners: which of them carries something out, and by which rules.

-- A routing table: for each operation the rules by which a partner is chosen, as an operator wrote them. The newest is in
-- effect. Never changed, never removed: an order tells by which version it was routed. No merchant's data.
create table routing_table (
  version integer     primary key check (version > 0),
  -- {"transfer/send": {"rules": [{name, when, use or split}], "otherwise": [partner]}}
  routes  json        not null,
  made_at timestamptz not null,
  made_by text        not null
);
create trigger routing_table_insert_only before update or delete or truncate on routing_table execute function refuse_change();

-- By which version of the table its partner was chosen; null where there was none, or no choice.
alter table rail_order add column routing_version integer;
comment on column rail_order.partner is 'Who carries it out: chosen before it is sent, and asked about it for ever. Null where it was placed before partners were chosen.';

-- What a node knows of a partner, told every few seconds for the operator who asks: each row is of one node, and old where
-- that has stopped. No merchant's data.
create table partner_report (
  node          integer     not null,
  partner       text        not null,
  protocol      text,
  capabilities  text[]      not null,
  last_heard_at timestamptz,
  -- Operations at which it does not do well, with how its breaker stands: [{operation, state}].
  breakers      json        not null,
  told_at       timestamptz not null,
  primary key (node, partner)
);
