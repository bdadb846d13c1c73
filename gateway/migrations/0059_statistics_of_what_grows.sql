-- Statistics are refreshed of small tables that have grown, and not of those whose few rows change over and over, as balances
-- do: each look makes every connection plan its statements on the table anew. A look takes a small sample, which is all that a
-- small table needs; PostgreSQL takes its own, larger one within a minute.

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
     where s.schemaname in ('public', 'vault')
       and s.n_live_tup > grown_rows_min + greatest(c.reltuples, 0) * 1.5
       and c.reltuples < small_rows_max
     limit tables_max
  loop
    execute format('analyze %s', grown);
    refreshed := refreshed + 1;
  end loop;
  return refreshed;
end $$;
