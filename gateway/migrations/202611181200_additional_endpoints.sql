-- Webhook endpoints besides the URLs of a merchant's settings.

-- An additional webhook endpoint of a merchant, with its own secret. A removed one keeps its row, for the delivery log.
create table additional_endpoint (
  merchant_id           bigint      not null references merchant,
  id                    bigint      not null,
  url                   text        not null,
  description           text        not null check (length(description) <= 120),
  -- The types of events that it receives; null for all.
  event_types           text[]      check (cardinality(event_types) > 0),
  -- Encrypted. The previous secret also signs, until its time ends. A removed endpoint has neither.
  secret                bytea,
  previous_secret       bytea,
  previous_secret_until timestamptz,
  created_at            timestamptz not null,
  -- Set by a user, or when it returned 410 or failed too many events in a row.
  paused_at             timestamptz,
  given_up_in_a_row     integer     not null default 0,
  -- Written at most once a minute.
  last_delivered_at     timestamptz,
  -- Whether it may have PAUSED deliveries, which are queued again once it takes events.
  resumes               boolean     not null default false,
  removed_at            timestamptz,
  primary key (merchant_id, id),
  check ((secret is null) = (removed_at is not null))
);
create index additional_endpoint_resumes on additional_endpoint (merchant_id, id) where resumes and paused_at is null;
create trigger additional_endpoint_stays before delete or truncate on additional_endpoint execute function refuse_removal();

-- An event's delivery to an additional endpoint. The text is the event's. The columns mean what they mean in the table event.
create table additional_delivery (
  merchant_id     bigint      not null,
  endpoint_id     bigint      not null,
  event_id        bigint      not null,
  status          text        not null check (status in ('PENDING', 'WAITING', 'PAUSED', 'DELIVERED', 'GIVEN_UP', 'NOT_SENT')),
  attempts        smallint    not null default 0,
  resent          boolean     not null default false,
  next_attempt_at timestamptz,
  leased_until    timestamptz,
  primary key (merchant_id, endpoint_id, event_id)
) with (fillfactor = 50);
create index additional_delivery_due on additional_delivery (merchant_id, endpoint_id, next_attempt_at) where status = 'PENDING';
create index additional_delivery_waiting on additional_delivery (next_attempt_at) where status = 'WAITING';
create index additional_delivery_open on additional_delivery (merchant_id, endpoint_id, event_id)
  where status in ('PENDING', 'WAITING', 'PAUSED');

-- The additional endpoint of an attempt; null for the URLs of the settings.
alter table event_attempt add column endpoint_id bigint;
