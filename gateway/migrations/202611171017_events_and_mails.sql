-- Events to merchants' webhooks, and mails.

-- A webhook URL of a merchant. The kind 'default' receives every kind without a URL of its own.
create table webhook_endpoint (
  merchant_id       bigint  not null references merchant,
  kind              text    not null check (kind in ('default', 'collection', 'disbursement', 'refund', 'settlement', 'mandate', 'wallet')),
  url               text    not null,
  -- Set when the endpoint returned 410, or failed too many events in a row. Cleared when the URL is set again.
  paused_at         timestamptz,
  given_up_in_a_row integer not null default 0,
  -- Whether it may have PAUSED events, which are queued again once it takes events.
  resumes           boolean not null default true,
  primary key (merchant_id, kind)
);
create index webhook_endpoint_resumes on webhook_endpoint (merchant_id, kind) where resumes and paused_at is null;

-- An event for a merchant. Written in the transaction that caused it, sent in the background. Its row is written three times:
-- created, leased, delivered. The free space on each page keeps all versions on it, so that a lease touches no index and the
-- write-ahead log does not repeat the text.
create table event (
  merchant_id     bigint      not null,
  id              bigint      not null,
  kind            text        not null,
  event_type      text        not null,
  -- All references by which it can be searched for, the main one first.
  refs            text[]      not null check (cardinality(refs) > 0),
  -- The text as sent and signed.
  body            text        not null,
  -- PENDING: queued. WAITING for its next attempt, or PAUSED with its endpoint: not in the queue, so that they cost nothing when
  -- the next event is looked for.
  status          text        not null check (status in ('PENDING', 'WAITING', 'PAUSED', 'DELIVERED', 'GIVEN_UP', 'NOT_SENT')),
  -- Attempts since it was created or last resent: the position in the retry schedule.
  attempts        smallint    not null default 0,
  resent          boolean     not null default false,
  created_at      timestamptz not null,
  -- Business time.
  next_attempt_at timestamptz,
  -- Real time: the sender's lease ends then.
  leased_until    timestamptz,
  primary key (merchant_id, id)
) with (fillfactor = 50);
create index event_due on event (merchant_id, kind, next_attempt_at) where status = 'PENDING';
create index event_waiting on event (next_attempt_at) where status = 'WAITING';
create index event_paused on event (merchant_id, kind) where status = 'PAUSED';

-- An attempt to deliver an event. Written in the transaction that writes to its event, so it needs no foreign key, which would
-- block writers of events whenever a partition is created.
create table event_attempt (
  merchant_id  bigint      not null,
  event_id     bigint      not null,
  id           bigint      not null,
  at           timestamptz not null,
  url          text        not null,
  status       smallint,
  body_excerpt text,
  milliseconds integer     not null,
  error        text,
  resent       boolean     not null,
  primary key (merchant_id, event_id, id)
) partition by range (event_id);

-- Attempts that no other partition takes, as for request_log.
create table partitions.event_attempt_rest partition of event_attempt default;

-- Creates the first partition, up to the end of the current period, and two periods ahead.
do $$
begin
  execute format('create table partitions.event_attempt partition of event_attempt for values from (minvalue) to (%s)',
                 (first_id_at(now()) / ((partition_days('event_attempt') * 86400000::bigint) << 22) + 1)
                   * ((partition_days('event_attempt') * 86400000::bigint) << 22));
  perform make_partitions('event_attempt', now(), 2);
end $$;

-- Up to which event a merchant's texts were dropped, because they are older than the operator keeps them.
create table event_bodies_dropped (
  merchant_id bigint primary key,
  up_to       bigint not null
);

-- A mail to be sent, to a merchant or to someone it names. Written in the transaction that caused it; deleted once it was
-- accepted for delivery, or after too many failed attempts.
create table notice (
  merchant_id     bigint      not null,
  id              bigint      not null,
  -- Null for the merchant itself.
  recipient       text,
  subject         text        not null,
  text            text        not null,
  attempts        smallint    not null default 0,
  created_at      timestamptz not null,
  -- Business time.
  next_attempt_at timestamptz not null,
  -- Real time: the sender's lease ends then.
  leased_until    timestamptz,
  -- An attachment.
  file_name       text,
  file_text       text,
  primary key (merchant_id, id)
);
create index notice_due on notice (next_attempt_at);

-- A mail in the sandbox's inbox.
create table sandbox_mail (
  merchant_id bigint      not null,
  id          bigint      not null,
  recipient   text        not null,
  subject     text        not null,
  text        text        not null,
  sent_at     timestamptz not null,
  primary key (merchant_id, id)
);
