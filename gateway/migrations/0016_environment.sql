-- What a database is for, said once and for good: play money and real money never meet.

-- Whether this database is a sandbox's or live. One row, written at the first start; every program that opens the
-- database compares it with its own setting and goes no further where they differ.
create table environment (
  only_row   boolean     primary key default true check (only_row),
  name       text        not null check (name in ('sandbox', 'live')),
  -- Real time.
  stamped_at timestamptz not null default now()
);

-- A database of before tells by its merchants' keys; one without merchants is stamped by whoever opens it first.
insert into environment (name)
select case when bool_or(starts_with(api_key, 'MK_PROD_')) then 'live' else 'sandbox' end
  from merchant
having count(*) > 0;

create function refuse_another_environment() returns trigger language plpgsql as $$
begin
  raise exception 'what a database is for is said once, at its first start';
end $$;
create trigger environment_stays before update or delete or truncate on environment
  execute function refuse_another_environment();

-- Holds whatever program writes, one of the version before among them.
create function refuse_foreign_key_of_merchant() returns trigger language plpgsql as $$
begin
  if exists (
    select from environment where name <> case when starts_with(new.api_key, 'MK_PROD_') then 'live' else 'sandbox' end
  ) then
    raise exception 'the database is for the other environment than the API key %', left(new.api_key, 8);
  end if;
  return new;
end $$;
create trigger merchant_of_this_environment before insert or update of api_key on merchant
  for each row execute function refuse_foreign_key_of_merchant();
