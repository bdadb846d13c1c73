-- A till at a shop's counter is a reserved account with this mark.
alter table reserved_account add column is_till boolean not null default false;
create index reserved_account_till on reserved_account (merchant_id, id) where is_till;

-- The only till, by the id of its reserved account, that a cashier sees.
alter table membership add column till_id bigint;
alter table membership
  drop constraint membership_role_check,
  add constraint membership_role_check
    check (role in ('owner', 'admin', 'developer', 'finance', 'support', 'viewer', 'cashier'));
