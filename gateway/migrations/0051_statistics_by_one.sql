-- One node at a time refreshes statistics: two that looked at the same tables in different orders waited for each other.

create or replace function refresh_statistics(grown_rows_min integer, small_rows_max integer, tables_max integer) returns integer
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
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
       and s.n_mod_since_analyze > grown_rows_min + greatest(c.reltuples, 0) / 2
       and c.reltuples < small_rows_max
     limit tables_max
  loop
    execute format('analyze %s', grown);
    refreshed := refreshed + 1;
  end loop;
  return refreshed;
end $$;
