-- The installation itself: encryption keys, nodes, the clock, the environment, and functions that all tables share.
--
-- Merchant data has merchant_id as the first column of every primary key, unique index and foreign key, so that merchants
-- can be spread over several databases. Directories are the exception: they find a merchant by something that the outside
-- world holds (an API key, an account number), and their comments say so.
-- Merchants, contracts and accounts are never deleted. Tables that every payment writes to have no foreign key to them,
-- because the check would lock the same row for all payments of a merchant.

-- Rejects deletes, for tables whose rows others refer to.
create function refuse_removal() returns trigger language plpgsql as $$
begin
  raise exception 'a row of % is never removed', tg_table_name;
end $$;

-- Rejects updates and deletes, for insert-only tables.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is insert-only: correct a mistake with a reverse journal', tg_table_name;
end $$;

-- Fails the transaction if fewer rows were changed than were read before, because someone else changed them meanwhile.
create function refuse_outdated(changed bigint, wanted bigint) returns void language plpgsql as $$
begin
  if changed < wanted then
    raise exception 'what was read without a lock has changed' using errcode = 'KB001';
  end if;
end $$;

-- Whether a merchant is in a list. PostgreSQL inlines the body. With `coalesce` it only filters, and the join to the list
-- stays the access path: a second way into the same index would make the best plan depend on the number of merchants, and
-- every execution would be planned again. Citus finds the shard by the bare comparison, so `kobo shards distribute` removes
-- the `coalesce` there.
create function is_listed(merchant bigint, merchants bigint[]) returns boolean
  language sql immutable parallel safe as 'select coalesce(merchant = any(merchants), false)';

-- A data key: it encrypts data at rest. It is itself encrypted ("wrapped") by the master key, which is never in the database.
create table data_key (
  id           smallint    primary key check (id > 0),
  wrapped      bytea       not null,
  created_at   timestamptz not null,
  -- The same key wrapped by the next master key, while one master key replaces the other.
  wrapped_next bytea,
  -- Real time: new values are encrypted with it from then on. By then every node knows it.
  seals_from   timestamptz not null default '-infinity',
  -- Null: made before keys had purposes, and used for each purpose that has no key yet.
  purpose      text        check (purpose in ('records', 'cards', 'answers', 'tokens', 'lookups')),
  -- How many values were encrypted with it; nodes report every few seconds.
  seals        bigint      not null default 0,
  -- Real time: the key is gone from then on. The row stays, so that its number is never reused.
  retired_at   timestamptz
);
create trigger data_key_stays before delete or truncate on data_key execute function refuse_removal();

-- A purpose whose values are being encrypted again with a newer key, and the progress. Any node can continue from here.
create table resealing (
  purpose  text        primary key,
  key_id   smallint    not null references data_key,
  -- The column in progress, for example transfer.sender_bvn, and the key of its last row that was processed.
  place    text,
  after    text[],
  -- Values encrypted again so far.
  resealed bigint      not null default 0,
  begun_at timestamptz not null
);

-- The number of a running node (process). Nodes use it to make unique references without asking each other.
create table node (
  number            smallint    primary key check (number between 0 and 99),
  holder            uuid        not null,
  -- Real time, not business time.
  leased_until      timestamptz not null,
  -- Business time in Unix seconds: no earlier holder of this number has used this second or a later one.
  first_second      bigint      not null,
  -- How far the node's clock is ahead of the database's; null if the node does not report it.
  skew_milliseconds integer
);

-- A task that one process does for all, and the process that holds it. The holder renews its lease; if it does not, another
-- process takes over.
create table elected (
  task         text        primary key,
  holder       uuid        not null,
  -- Real time, by the database's clock.
  leased_until timestamptz not null
);
insert into elected (task, holder, leased_until) values ('sweeps', gen_random_uuid(), 'epoch');

-- How far business time is ahead of real time. One row; always zero outside the sandbox.
create table business_clock (
  only_row            boolean primary key default true check (only_row),
  offset_milliseconds bigint  not null default 0 check (offset_milliseconds >= 0)
);
insert into business_clock default values;

-- Whether this database belongs to a sandbox or is live. One row, written at the first start and never changed. Every program
-- compares it with its own configuration and stops if they differ.
create table environment (
  only_row   boolean     primary key default true check (only_row),
  name       text        not null check (name in ('sandbox', 'live')),
  -- Real time.
  stamped_at timestamptz not null default now()
);
create function refuse_another_environment() returns trigger language plpgsql as $$
begin
  raise exception 'what a database is for is said once, at its first start';
end $$;
create trigger environment_stays before update or delete or truncate on environment
  execute function refuse_another_environment();

-- Refreshes the planner's statistics of small tables that have grown; returns how many. Tables whose few rows change often,
-- like balances, are left out, because each refresh makes every connection plan its queries again. A small sample is enough
-- for a small table. It runs as the owner, who alone may analyze, and on one node at a time, because two nodes with different
-- orders would wait for each other.
create function refresh_statistics(grown_rows_min integer, small_rows_max integer, tables_max integer) returns integer
  language plpgsql security definer set search_path = pg_catalog, pg_temp set default_statistics_target = 10 as $$
declare
  grown regclass;
  refreshed integer := 0;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('refresh_statistics', 0)) then
    return 0;
  end if;
  for grown in
    select c.oid
      from pg_stat_user_tables s
      join pg_class c on c.oid = s.relid
     where s.schemaname in ('public', 'vault', 'partitions')
       and s.n_live_tup > grown_rows_min + greatest(c.reltuples, 0) * 1.5
       and c.reltuples < small_rows_max
     limit tables_max
  loop
    execute format('analyze %s', grown);
    refreshed := refreshed + 1;
  end loop;
  return refreshed;
end $$;
