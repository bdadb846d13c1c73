-- A personal token with which an operator proves who they are at the command line. The newest one counts.
create table operator_token (
  person_id  bigint      primary key references person,
  token_hash text        not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
