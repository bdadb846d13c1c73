-- The program is not the owner of the tables, and only an owner may have their statistics refreshed.

-- Refreshes the planner's statistics of small tables that have grown by half since they were last looked at; answers how many.
create function refresh_statistics(grown_rows_min integer, small_rows_max integer, tables_max integer) returns integer
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  grown regclass;
  refreshed integer := 0;
begin
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
