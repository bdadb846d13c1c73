-- A journal holds its moves: the nth goes from the nth source to the nth target. One row is written where there were three.
-- Null where a version before this one wrote the journal: then its moves are rows of `move`. Readers take both.
alter table journal add column sources text[];
alter table journal add column targets text[];
alter table journal add column amounts bigint[];
-- That no move goes from an account to itself is asked by `kobo ledger verify`.
alter table journal add constraint journal_moves_are_whole check (
  sources is null and targets is null and amounts is null
  or (cardinality(sources) > 0
      and cardinality(targets) = cardinality(sources)
      and cardinality(amounts) = cardinality(sources)
      and array_position(sources, null) is null
      and array_position(targets, null) is null
      and 0 < all (amounts)) is true) not valid;
comment on table journal is 'One business act''s moves of money, under a key that is used once. It holds its moves.';
comment on table move is 'A move of money between two accounts, of a journal that a version before wrote and that does not hold its moves itself.';
