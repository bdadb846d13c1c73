-- What one process does for all of them, and who that is. Whoever has it keeps it by renewing it; where it was not, another takes it.
create table elected (
  task         text        primary key,
  holder       uuid        not null,
  -- Real time, by the database's clock.
  leased_until timestamptz not null
);
insert into elected (task, holder, leased_until) values ('sweeps', gen_random_uuid(), 'epoch');
