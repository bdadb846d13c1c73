-- Rules of the API that are relaxed for a merchant, for older clients: see COMPAT_SETTINGS in the contract.
alter table merchant add column compat text[] not null default '{}';

-- A customer without BVN and NIN, of a merchant for which that rule is relaxed.
alter table reserved_account add column without_identity boolean not null default false;
alter table reserved_account
  drop constraint reserved_account_check,
  add constraint reserved_account_check check (
    bvn is not null or nin is not null or limit_profile_code is not null or deallocated_at is not null
    or without_identity);
