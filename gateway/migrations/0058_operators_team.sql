-- Who becomes an operator, does something else or is none any more, one operator asks for and another approves.
alter table operator_change drop constraint operator_change_kind_check;
alter table operator_change add constraint operator_change_kind_check
  check (kind in ('SETTINGS', 'PRICE', 'RETURN', 'CONFLICT', 'DISPUTE', 'DISPUTE_END', 'TEAM')) not valid;
