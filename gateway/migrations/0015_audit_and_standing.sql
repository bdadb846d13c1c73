-- Who did what, in a chain that shows where somebody has changed it; and whether a merchant may act.

-- Acts that concern no merchant, as a login with an unknown key, stand under merchant 0.
alter table audit drop constraint audit_merchant_id_fkey;
-- Who it was: an API key, or the name of the account on the operator's machine.
alter table audit add column name text;
-- From where, where it came over the network.
alter table audit add column address text;

-- What is not yet in the chain.
create table audit_unsealed (
  merchant_id bigint not null,
  id          bigint not null,
  primary key (merchant_id, id)
);
insert into audit_unsealed select merchant_id, id from audit;

create function audit_awaits_seal() returns trigger language plpgsql as $$
begin
  insert into audit_unsealed select merchant_id, id from written;
  return null;
end $$;
create trigger audit_awaits_seal after insert on audit
  referencing new table as written for each statement execute function audit_awaits_seal();

-- The chain: each hash is of the one before it and of what the record says. Whoever keeps a hash elsewhere can prove that
-- nothing up to it was changed, left out or put in since.
create table audit_seal (
  number      bigint primary key check (number > 0),
  merchant_id bigint not null,
  audit_id    bigint not null,
  hash        bytea  not null check (octet_length(hash) = 32),
  unique (merchant_id, audit_id)
);
create trigger audit_seal_insert_only before update or delete or truncate on audit_seal execute function refuse_change();

-- SUSPENDED: it may not call and none of its money leaves, until it is ACTIVE again. What arrives is still booked.
-- CLOSED: the same, for ever.
alter table merchant add column standing text not null default 'ACTIVE' check (standing in ('ACTIVE', 'SUSPENDED', 'CLOSED'));
