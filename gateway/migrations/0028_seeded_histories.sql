-- Histories that the sandbox makes up, so that a merchant has something to look at.

-- A history that `kobo seed` writes for a merchant, day by day, and how far it has come: it goes on from there.
create table seeded_history (
  merchant_id bigint      not null references merchant,
  seed        integer     not null,
  payments    integer     not null check (payments > 0),
  days        integer     not null check (days > 0),
  ends_at     timestamptz not null,
  days_done   integer     not null default 0 check (days_done between 0 and days),
  primary key (merchant_id, seed)
);
