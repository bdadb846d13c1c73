-- Two operators may pay out what a closed merchant has left.
alter table operator_change
  drop constraint operator_change_kind_check,
  add constraint operator_change_kind_check check (kind in (
    'SETTINGS', 'PRICE', 'RETURN', 'CONFLICT', 'DISPUTE', 'DISPUTE_END', 'TEAM', 'OWNER', 'PAYOUT'));
