-- The person who proposed a decision. Two people are compared by their ids, and by their names only if one has no id.

alter table order_decision
  add column proposed_by_id bigint;
alter table reconciliation_decision
  add column proposed_by_id bigint;
