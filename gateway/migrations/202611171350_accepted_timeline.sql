-- An operator's decision to go on with a restored database, whose history is older than the one that Kobo has worked on.
create table accepted_timeline (
  accepted_at timestamptz primary key,
  timeline    integer     not null,
  accepted_by text        not null
);
