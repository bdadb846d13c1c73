-- API requests (idempotency, request log, rate limits) and the audit log.

-- The stored response to a request with an Idempotency-Key, encrypted. The request body is stored only as a keyed hash.
create table idempotency_key (
  merchant_id  bigint      not null,
  path         text        not null,
  key          text        not null,
  body_hash    bytea       not null,
  status       smallint,
  answer       bytea,
  -- The error code of the response; null if the request succeeded.
  refusal      text,
  -- Business time: deleted a day later.
  created_at   timestamptz not null,
  -- Real time: a duplicate waits until then for the first response.
  leased_until timestamptz not null,
  -- A number that only the claiming request knows, so that it can release the key after it lost its connection.
  claim        bigint,
  primary key (merchant_id, path, key)
);
create index idempotency_key_age on idempotency_key (created_at);

-- An API request of a merchant's server, for its developers to look up. Nothing depends on it: it is written after the
-- response, some are left out under heavy load, and old ones are dropped. Bodies are stored only in the sandbox, with secrets
-- masked.
create table request_log (
  merchant_id   bigint      not null,
  id            bigint      not null,
  at            timestamptz not null,
  method        text        not null,
  -- As in the contract: /api/v2/transactions/:transactionReference
  route         text        not null,
  status        integer     not null,
  outcome       text        not null check (outcome in ('SUCCEEDED', 'REFUSED', 'FAILED')),
  -- The error code.
  refusal       text,
  -- The reference that the request named, if any.
  reference     text,
  microseconds  integer     not null,
  request_id    text        not null,
  address       text        not null,
  -- How many of the merchant's requests were left out before this one.
  left_out      integer     not null default 0,
  -- The path and query, and both bodies: sandbox only.
  url           text,
  request_body  text,
  answer_body   text,
  primary key (merchant_id, id)
) partition by range (id);

-- Requests that no other partition takes: made with a wrong clock, or older than a dropped partition.
create table partitions.request_log_rest partition of request_log default;

-- Creates the first partition, up to the end of the current period, and two periods ahead.
do $$
begin
  execute format('create table partitions.request_log partition of request_log for values from (minvalue) to (%s)',
                 (first_id_at(now()) / ((partition_days('request_log') * 86400000::bigint) << 22) + 1)
                   * ((partition_days('request_log') * 86400000::bigint) << 22));
  perform make_partitions('request_log', now(), 2);
end $$;

-- How often a caller did something that must not be tried out, such as a login with a wrong key, in the current window.
-- Callers need not be merchants. Unlogged: after a crash of the database all counts start over.
create unlogged table shared_limit (
  name    text        not null,
  -- A network, a merchant, or both.
  caller  text        not null check (length(caller) <= 200),
  count   integer     not null check (count > 0),
  -- Real time: it counts from one again from then on.
  ends_at timestamptz not null,
  primary key (name, caller)
);
create index shared_limit_age on shared_limit (ends_at);

-- An audit record: an action on a merchant's affairs other than a payment. Never changed or deleted. Actions without a
-- merchant, such as a login with an unknown key, have merchant 0.
create table audit (
  merchant_id bigint      not null,
  id          bigint      not null,
  act         text        not null,
  actor       text        not null,
  reference   text,
  details     json        not null,
  at          timestamptz not null,
  -- The actor's name: an API key, or the account on the operator's machine.
  name        text,
  -- The network address, if it came over the network.
  address     text,
  primary key (merchant_id, id)
);
create trigger audit_insert_only before update or delete or truncate on audit execute function refuse_change();

-- An audit record that is not in the hash chain yet.
create table audit_unsealed (
  merchant_id bigint not null,
  id          bigint not null,
  primary key (merchant_id, id)
);
create function audit_awaits_seal() returns trigger language plpgsql as $$
begin
  insert into audit_unsealed select merchant_id, id from written;
  return null;
end $$;
create trigger audit_awaits_seal after insert on audit
  referencing new table as written for each statement execute function audit_awaits_seal();

-- A link of the audit log's hash chain: a hash of the previous one and of the record. A hash that is stored elsewhere proves
-- that no record up to it was changed, removed or inserted since.
create table audit_seal (
  number      bigint primary key check (number > 0),
  merchant_id bigint not null,
  audit_id    bigint not null,
  hash        bytea  not null check (octet_length(hash) = 32),
  unique (merchant_id, audit_id)
);
create trigger audit_seal_insert_only before update or delete or truncate on audit_seal execute function refuse_change();
