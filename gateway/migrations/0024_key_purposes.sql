-- Data keys are each for one purpose, are counted, and can be retired.

-- What a key is for. Null: made before keys had purposes, and for each purpose that has no key of its own yet.
alter table data_key add column purpose text
  check (purpose in ('records', 'cards', 'answers', 'tokens', 'lookups'));
-- How many values were encrypted with it, as far as the nodes have told: they tell every few seconds.
alter table data_key add column seals bigint not null default 0;
-- Real time: from then on it is gone. The row stays, so that its number is never another key's.
alter table data_key add column retired_at timestamptz;
create trigger data_key_stays before delete or truncate on data_key execute function refuse_removal();

-- A purpose whose values are being encrypted again with a newer key: how far that has come. Whoever goes on goes on here.
create table resealing (
  purpose  text        primary key,
  key_id   smallint    not null references data_key,
  -- The column under way, as transfer.sender_bvn, and the key of the last row of it that was looked at.
  place    text,
  after    text[],
  -- Values encrypted again so far.
  resealed bigint      not null default 0,
  begun_at timestamptz not null
);
