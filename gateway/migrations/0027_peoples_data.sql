-- What is known of people goes when it is no longer needed.

-- Up to which event a merchant's texts were dropped, because they are older than the operator keeps them.
create table event_bodies_dropped (
  merchant_id bigint primary key,
  up_to       bigint not null
);

-- An account that was given up needs no proof of identity: whoever is forgotten is forgotten there too.
alter table reserved_account drop constraint reserved_account_check;
alter table reserved_account add constraint reserved_account_check
  check (bvn is not null or nin is not null or limit_profile_code is not null or deallocated_at is not null) not valid;
