-- Tables that grow with every request or event, and lose their old rows, are partitioned by time: by ranges of ids, which grow
-- with time, so that keys stay as they are. The program does not own the tables, and only an owner may create and drop
-- partitions, so it calls these functions.

-- The partitions. No role has rights here: rows are read and written through the partitioned table.
create schema partitions;

-- How many days a partition of a table covers; null if the table is not partitioned.
create function partition_days(parent text) returns integer
  language sql immutable as $$
  select case parent when 'request_log' then 1 when 'event_attempt' then 30 end
$$;

-- The lowest id that the program can make at a moment: milliseconds since 2024, then 22 bits.
create function first_id_at(moment timestamptz) returns bigint
  language sql immutable set search_path = pg_catalog, pg_temp as $$
  select least(greatest(floor(extract(epoch from moment) * 1000)::bigint - 1704067200000, 0), (1::bigint << 41) - 1) << 22
$$;

-- The partitions of a table. The first has no lower bound (null), the default partition has no bounds. Returns none if Citus
-- distributes the table: there old rows are deleted one by one.
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

-- Creates the missing partitions for a moment and for some periods after it; returns how many. Rows that arrived before their
-- partition are moved into it, unless there are too many to move while others wait.
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

-- Drops the partitions of a table whose rows were all made before a moment, oldest first, up to a maximum; returns how many.
-- In live, rows of the last day are never dropped.
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
