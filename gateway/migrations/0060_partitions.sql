-- What grows with every request and every event, and is dropped by its age, is kept in partitions by time: ranges of ids, which
-- ascend with time, so that keys stay as they are. The program is not the owner of the tables, and only an owner may make and
-- drop partitions: it does so by the functions below, of these tables alone.

-- The partitions. Nobody has rights here: rows are read and written through the table whose partitions they are.
create schema partitions;

-- For how many days a partition of a table has the rows; null where the table has none.
create function partition_days(parent text) returns integer
  language sql immutable as $$
  select case parent when 'request_log' then 1 when 'event_attempt' then 30 end
$$;

-- The lowest id that can be made at a moment, as the program makes them: milliseconds since 2024, and 22 bits.
create function first_id_at(moment timestamptz) returns bigint
  language sql immutable set search_path = pg_catalog, pg_temp as $$
  select least(greatest(floor(extract(epoch from moment) * 1000)::bigint - 1704067200000, 0), (1::bigint << 41) - 1) << 22
$$;

-- The partitions of a table. The first is open below (null), and the one for whatever no other takes has no bounds at all. None
-- where the table's merchants are spread over servers by Citus: there its rows go by their age, one by one.
create function partitions_of(parent text)
  returns table (partition regclass, catches_all boolean, lower_id bigint, upper_id bigint)
  language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare
  table_id oid := to_regclass('public.' || quote_ident(parent));
  is_spread boolean := false;
begin
  if to_regclass('pg_catalog.pg_dist_partition') is not null then
    execute 'select exists (select from pg_dist_partition where logicalrelid = $1)' into is_spread using table_id;
  end if;
  if is_spread then
    return;
  end if;
  return query
    select c.oid::regclass, bound = 'DEFAULT',
           substring(bound from $re$FROM \('?(\d+)$re$)::bigint, substring(bound from $re$TO \('?(\d+)$re$)::bigint
      from pg_inherits i
      join pg_class c on c.oid = i.inhrelid
     cross join pg_get_expr(c.relpartbound, c.oid) bound
     where i.inhparent = table_id and c.relispartition;
end $$;

-- Makes the partitions that are missing for a moment and for so many periods after it; answers how many. Rows that came before
-- their partition did are brought into it, unless there are too many to be moved while everybody waits.
create function make_partitions(parent text, moment timestamptz, ahead integer) returns integer
  language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '1s' as $$
declare
  period_ids bigint := (public.partition_days(parent) * 86400000::bigint) << 22;
  rest regclass := (select partition from public.partitions_of(parent) where catches_all);
  key text := (select quote_ident(a.attname) from pg_partitioned_table p
                 join pg_attribute a on a.attrelid = p.partrelid and a.attnum = p.partattrs[0]
                where p.partrelid = to_regclass('public.' || quote_ident(parent)));
  first bigint;
  name text;
  early bigint;
  made integer := 0;
begin
  if period_ids is null or ahead not between 0 and 10 then
    raise exception 'no partitions are made of % for % periods', parent, ahead;
  end if;
  -- One maker is enough.
  if rest is null or not pg_try_advisory_xact_lock(hashtextextended('partitions of ' || parent, 0)) then
    return 0;
  end if;
  for period in 0 .. ahead loop
    first := (public.first_id_at(moment) / period_ids + period) * period_ids;
    continue when exists (select from public.partitions_of(parent)
                           where not catches_all and upper_id > first and coalesce(lower_id, 0) < first + period_ids);
    if (select count(*) from public.partitions_of(parent)) > 3000 then
      raise exception '% has too many partitions', parent;
    end if;
    execute format('lock table %s in access exclusive mode', rest);
    execute format('select count(*) from (select from %1$s where %2$s >= %3$s and %2$s < %4$s limit 100001) found', rest, key, first, first + period_ids)
       into early;
    continue when early > 100000;
    name := format('partitions.%I', parent || to_char(to_timestamp((first >> 22) / 1000 + 1704067200) at time zone 'UTC', '_YYYYMMDD'));
    -- One more of the table's own kind.
    execute format('create table %s (like public.%I including all)', name, parent);
    if early > 0 then
      execute format('with moved as (delete from %1$s where %2$s >= %3$s and %2$s < %4$s returning *) insert into %5$s select * from moved',
                     rest, key, first, first + period_ids, name);
    end if;
    execute format('alter table public.%I attach partition %s for values from (%s) to (%s)', parent, name, first, first + period_ids);
    made := made + 1;
  end loop;
  return made;
exception when lock_not_available then
  return 0; -- it is looked at again
end $$;

-- Drops the partitions of a table whose rows were all made before a moment, the oldest first and so many at most; answers how
-- many. In live, what was made within the last day is never dropped.
create function drop_partitions(parent text, before timestamptz, partitions_max integer) returns integer
  language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '1s' as $$
declare
  old regclass;
  dropped integer := 0;
begin
  if public.partition_days(parent) is null then
    raise exception 'no partitions are dropped of %', parent;
  end if;
  -- The sandbox's clock may be years ahead.
  if before > now() - interval '1 day' and not exists (select from public.environment where name = 'sandbox') then
    raise exception 'what was made within a day stays';
  end if;
  for old in
    select partition from public.partitions_of(parent)
     where not catches_all and upper_id <= public.first_id_at(before) order by upper_id limit partitions_max
  loop
    execute format('drop table %s', old);
    dropped := dropped + 1;
  end loop;
  return dropped;
exception when lock_not_available then
  return 0; -- it is looked at again
end $$;

revoke all on function make_partitions(text, timestamptz, integer), drop_partitions(text, timestamptz, integer) from public;

-- Attempts are written in the transaction that writes to their event, by its key. Without this, making a partition of attempts
-- would hold up whoever writes events.
alter table event_attempt drop constraint if exists event_attempt_merchant_id_event_id_fkey;

-- The table as it was becomes the first partition, for all up to the end of the period of its newest row, or of now. What other
-- programs know, the name with its columns and keys, is the same. Tables that are already spread over servers stay as they are.
do $$
declare
  parent text;
  key text;
  newest bigint;
  period_ids bigint;
begin
  foreach parent in array array['request_log', 'event_attempt'] loop
    key := case parent when 'event_attempt' then 'event_id' else 'id' end;
    if to_regclass('pg_catalog.pg_dist_partition') is not null then
      execute format('select max(1) from pg_dist_partition where logicalrelid = %L::regclass', 'public.' || parent) into newest;
      continue when newest is not null;
    end if;
    period_ids := (partition_days(parent) * 86400000::bigint) << 22;
    execute format('select max(%I) from public.%I', key, parent) into newest;
    newest := greatest(newest, first_id_at(now()));
    execute format('alter table public.%I set schema partitions', parent);
    -- The same, in partitions.
    execute format('create table public.%1$I (like partitions.%1$I including all) partition by range (%2$I)', parent, key);
    execute format('alter table public.%1$I attach partition partitions.%1$I for values from (minvalue) to (%2$s)',
                   parent, (newest / period_ids + 1) * period_ids);
    -- For what no other takes: made by a clock that is wrong, or of a time whose partition is gone.
    execute format('create table partitions.%I partition of public.%I default', parent || '_rest', parent);
    perform make_partitions(parent, now(), 2);
  end loop;
end $$;

-- Partitions grow as tables do.
create or replace function refresh_statistics(grown_rows_min integer, small_rows_max integer, tables_max integer) returns integer
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
