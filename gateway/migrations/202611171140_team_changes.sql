-- Waiting times of changes in a team: a new approver's rights, and the removal of an owner. An operator adds an owner with two people.

alter table membership
  -- Business time. A new owner or approver moves and approves no money before then.
  add column rights_from   timestamptz,
  -- The user who gave the member the role.
  add column named_by      bigint references person,
  -- Business time at which an owner leaves or gets another role, if another owner has requested it and none objects.
  add column ends_at       timestamptz,
  -- The role from then on; null if the member leaves.
  add column ends_as       text,
  add column ends_asked_by bigint references person;
create index membership_ends on membership (ends_at) where ends_at is not null;

alter table operator_change
  drop constraint operator_change_kind_check,
  add constraint operator_change_kind_check check (kind in (
    'SETTINGS', 'PRICE', 'RETURN', 'CONFLICT', 'DISPUTE', 'DISPUTE_END', 'TEAM', 'OWNER'));
