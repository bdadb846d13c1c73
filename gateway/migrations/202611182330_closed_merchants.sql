-- When a closed merchant's last requests have ended. A job then ends what they opened, and sets this to null.
alter table merchant add column last_requests_end_at timestamptz;
create index merchant_last_requests on merchant (last_requests_end_at) where last_requests_end_at is not null;
