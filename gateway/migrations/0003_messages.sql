-- What is told: events to the merchants' servers, mails to people.

-- Something that happened, told to the merchant. Written in the transaction that made it happen, sent in the background.
create table event (
  merchant_id     bigint      not null,
  id              bigint      not null,
  kind            text        not null,
  event_type      text        not null,
  -- Every reference by which a person may look for it, the main one first.
  refs            text[]      not null check (cardinality(refs) > 0),
  -- The text as sent and signed.
  body            text        not null,
  status          text        not null check (status in ('PENDING', 'DELIVERED', 'GIVEN_UP', 'NOT_SENT')),
  -- Attempts since it was made or last asked to be sent again: the place in the retry schedule.
  attempts        smallint    not null default 0,
  resent          boolean     not null default false,
  created_at      timestamptz not null,
  -- Business time.
  next_attempt_at timestamptz,
  -- Real time: whoever is sending it has until then.
  leased_until    timestamptz,
  primary key (merchant_id, id)
) with (fillfactor = 80);
create index event_due on event (merchant_id, kind, next_attempt_at) where status = 'PENDING';

-- One try to deliver an event.
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
  primary key (merchant_id, event_id, id),
  foreign key (merchant_id, event_id) references event
);

-- A mail that is still to be sent, to a merchant or somebody whom it names. Written in the transaction that gives the reason for it, removed when it was
-- taken, or when it could not be sent too often.
create table notice (
  merchant_id     bigint      not null,
  id              bigint      not null,
  -- Whom it goes to, where that is not the merchant itself.
  recipient       text,
  subject         text        not null,
  text            text        not null,
  attempts        smallint    not null default 0,
  created_at      timestamptz not null,
  -- Business time.
  next_attempt_at timestamptz not null,
  -- Real time: whoever is sending it has until then.
  leased_until    timestamptz,
  primary key (merchant_id, id)
);
create index notice_due on notice (next_attempt_at);

-- A mail that the sandbox keeps for its inbox.
create table sandbox_mail (
  merchant_id bigint      not null,
  id          bigint      not null,
  recipient   text        not null,
  subject     text        not null,
  text        text        not null,
  sent_at     timestamptz not null,
  primary key (merchant_id, id)
);
