-- Mails to merchants about what happened.

-- A mail to a merchant that is still to be sent. Written in the transaction that gives the reason for it, removed when it was
-- taken, or when it could not be sent too often.
create table notice (
  merchant_id     bigint      not null,
  id              bigint      not null,
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
