-- How far the audit log was sent to a syslog server (KOBO_AUDIT_SYSLOG). A server that was away gets the rest when it is back.
create table audit_stream (
  -- The server's address.
  destination text        primary key,
  -- The last record in the audit log's chain that was sent.
  number      bigint      not null,
  sent_at     timestamptz not null
);
