-- What banks and other partners say that they hold for us, held against the books. None of it is a merchant's: the operator's own.

-- An account of ours at a partner, whose statements are held against what the books say that the partner holds.
create table statement_account (
  partner         text        primary key,
  -- As the partner's statements call it; null where they do not.
  account_number  text,
  -- Where in its files is what, and by which words its own charges are known: as a mapping of the statements.
  mapping         json        not null,
  -- The first day that is reconciled, counted from 1970 in Lagos, and what was there when it began: at the bank, and by the books.
  began_on        integer     not null,
  opening_balance bigint      not null,
  opening_held    bigint      not null,
  -- Up to here the books' own side was looked through.
  gathered_until  timestamptz not null,
  created_at      timestamptz not null
);
create trigger statement_account_stays before delete or truncate on statement_account execute function refuse_removal();

-- A file that was taken, whole. The same one again changes nothing.
create table statement_file (
  partner     text        not null references statement_account,
  id          bigint      not null,
  -- SHA-256 of what is in it.
  hash        text        not null,
  name        text        not null,
  -- How many lines it has, and how many of them no file before had.
  lines       integer     not null,
  new_lines   integer     not null,
  first_day   integer,
  last_day    integer,
  imported_at timestamptz not null,
  primary key (partner, id),
  unique (partner, hash)
);
create trigger statement_file_insert_only before update or delete or truncate on statement_file execute function refuse_change();

-- What a bank says it held at the end of a day. A later file may say it better until the day is closed.
create table statement_balance (
  partner text    not null references statement_account,
  day     integer not null,
  amount  bigint  not null,
  file_id bigint  not null,
  primary key (partner, day)
);

-- Money that a bank says came or went.
create table statement_line (
  partner        text    not null references statement_account,
  id             bigint  not null,
  file_id        bigint  not null,
  -- What tells it from every other: day, amount and the bank's reference, and the how many-eth of these it is. So a line that
  -- stands in two files is one.
  key            text    not null,
  day            integer not null,
  -- Above zero where it came in.
  amount         bigint  not null check (amount <> 0),
  is_fee         boolean not null,
  bank_reference text,
  named          text[]  not null,
  account_number text,
  name           text,
  narration      text,
  primary key (partner, id),
  unique (partner, key)
);
create index statement_line_day on statement_line (partner, day);
create trigger statement_line_stays before delete or truncate on statement_line execute function refuse_removal();
