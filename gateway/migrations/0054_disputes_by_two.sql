-- An operator who was told of a dispute by mail opens or decides it; another one approves that.
alter table operator_change drop constraint operator_change_kind_check;
alter table operator_change add constraint operator_change_kind_check
  check (kind in ('SETTINGS', 'PRICE', 'RETURN', 'CONFLICT', 'DISPUTE', 'DISPUTE_END')) not valid;
