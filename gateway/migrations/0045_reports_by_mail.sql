-- Reports that people have mailed to them, day by day.

-- Somebody of a team who wants the report of each day's settlements.
create table report_choice (
  merchant_id bigint  not null references merchant,
  person_id   bigint  not null references person,
  -- The first day that is reported, as days since 1970 in Lagos.
  since       integer not null,
  primary key (merchant_id, person_id)
);

-- A day of which a merchant's report was made: each is made once. Old ones are removed.
create table settlement_report (
  merchant_id bigint  not null references merchant,
  -- Days since 1970 in Lagos.
  day         integer not null,
  primary key (merchant_id, day)
);

-- A file that goes with a mail.
alter table notice add column file_name text;
alter table notice add column file_text text;
