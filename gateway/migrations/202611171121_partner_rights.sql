-- The rights of partners to notify us.

-- The partner that has a number, from its source: it alone reports its credits. Null for numbers opened before this column, and for
-- unassigned ones: then the sources at the bank decide.
alter table virtual_account add column partner text;
alter table earlier_account add column partner text;

-- The partners that have used version 2 of the protocol, and since when: from then on their signatures of version 1 are rejected.
-- Not of a merchant.
create table partner_protocol (
  partner    text        primary key,
  version    integer     not null,
  first_seen timestamptz not null
);
create trigger partner_protocol_insert_only before update or delete or truncate on partner_protocol execute function refuse_change();
