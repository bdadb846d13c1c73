-- What keeps strangers at the door: how often something was tried, and the script that merchants' pages load.

-- How often a caller has done something that must not be tried out, as a login with a wrong key, in a time that is not over.
-- Not of a merchant: a caller may be nobody's. Unlogged, since after a crash of the database all may begin anew.
create unlogged table shared_limit (
  name    text        not null,
  -- A network, a merchant, or both: whatever is counted by.
  caller  text        not null check (length(caller) <= 200),
  count   integer     not null check (count > 0),
  -- Real time: from then on it counts from one again.
  ends_at timestamptz not null,
  primary key (name, caller)
);
create index shared_limit_age on shared_limit (ends_at);

-- A version of the inline script that this gateway has served. Pages of merchants name one by its hash and allow no other
-- content, so each is served for as long as its row is there, whatever version of the program runs.
create table inline_script (
  -- The start of the SHA-256 of its content, as it stands in its address.
  hash         text        primary key check (hash ~ '^[0-9a-f]{12}$'),
  content      text        not null,
  published_at timestamptz not null
);
