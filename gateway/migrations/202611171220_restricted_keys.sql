-- API keys with some of a merchant's rights.

-- A restricted key of a merchant. Its secret key is stored as a hash: it only logs in and never signs events.
create table restricted_key (
  merchant_id  bigint      not null references merchant,
  id           bigint      not null,
  name         text        not null check (length(name) between 1 and 60),
  -- The rights of its tokens, by the names of users' permissions.
  scopes       text[]      not null check (cardinality(scopes) > 0),
  -- Addresses and CIDR ranges that may use it, within the merchant's own; null for all of those.
  ip_whitelist text[],
  secret_hash  text        not null,
  -- The start and end of the secret key, to recognise it.
  hint         text        not null,
  -- The team member who created it and so knows it.
  made_by      bigint      not null references person,
  created_at   timestamptz not null,
  -- The last login with it.
  last_used_at timestamptz,
  expires_at   timestamptz,
  revoked_at   timestamptz,
  primary key (merchant_id, id)
);
create trigger restricted_key_stays before delete or truncate on restricted_key execute function refuse_removal();
