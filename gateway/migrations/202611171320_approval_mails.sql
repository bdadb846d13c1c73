-- Mails with a link to the dashboard page to act on, and mails to approvers about payouts that wait.
alter table notice add column page text;

-- When the approvers were mailed; null if not yet.
alter table approval_request add column notified_at timestamptz;
create index approval_request_unnotified on approval_request (created_at)
  where notified_at is null and ended_at is null;
