-- The report of the last check of a merchant's integration (check-integration), for the dashboard. Sandbox only.
create table integration_report (
  merchant_id bigint      primary key references merchant,
  report      jsonb       not null,
  checked_at  timestamptz not null
);
