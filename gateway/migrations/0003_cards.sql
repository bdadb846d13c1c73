-- Cards: every charge that was tried, and the cards on file.

-- A try to charge a card for a transaction. It changes only while its transaction is locked.
create table card_attempt (
  merchant_id    bigint      not null,
  transaction_id bigint      not null,
  -- Counts the charges of the transaction.
  number         smallint    not null check (number between 1 and 10),
  -- Ours, told to the card network: one reference, one charge. Also the id of the OTP and of 3-D Secure.
  reference      text        not null check (reference ~ '^[0-9a-f]{32}$'),
  status         text        not null check (status in ('CHARGING', 'OTP_REQUIRED', 'AUTHORIZING', 'SECURE_3D_REQUIRED', 'UNKNOWN', 'APPROVED', 'DECLINED', 'SUPERSEDED', 'REVERSING', 'REVERSED', 'REVERSAL_REFUSED')),
  amount         bigint      not null check (amount > 0),
  -- Who asked for it: the merchant's server, or the hosted checkout.
  channel        text        not null check (channel in ('API_NOTIFICATION', 'WEB_SDK')),
  -- The same for the same card of the same merchant, and tells nothing else of it.
  fingerprint    text        not null,
  -- What may be shown of the card: its number is masked.
  card           json        not null,
  -- Set where a card on file is charged.
  card_token     text,
  otp_tries      smallint    not null default 0 check (otp_tries between 0 and 5),
  -- Where the issuer asks its card holder, with 3-D Secure.
  acs_url        text,
  acs_method     text        check (acs_method in ('GET', 'POST')),
  -- Why it was declined, or why its money went back.
  reason         text,
  -- The card's number, encrypted, while its holder is being asked: if the holder agrees, the card is put on file.
  held_number    text        check (held_number is null or status in ('OTP_REQUIRED', 'AUTHORIZING', 'SECURE_3D_REQUIRED', 'UNKNOWN')),
  opened_at      timestamptz not null,
  settled_at     timestamptz,
  -- When the network is next asked what became of it; null where nothing more is to come.
  ask_at         timestamptz,
  primary key (merchant_id, transaction_id, number),
  foreign key (merchant_id, transaction_id) references transaction
) with (fillfactor = 80);
-- One charge of a transaction at a time.
create unique index card_attempt_open on card_attempt (merchant_id, transaction_id)
  where status in ('CHARGING', 'OTP_REQUIRED', 'AUTHORIZING', 'SECURE_3D_REQUIRED', 'UNKNOWN');
create index card_attempt_due on card_attempt (ask_at) where ask_at is not null;
create index card_attempt_declined on card_attempt (merchant_id, fingerprint, opened_at) where status = 'DECLINED';
-- The directory from an issuer's page to the attempt it is about.
create index card_attempt_challenged on card_attempt (reference) where acs_url is not null;

-- A card on file: a merchant may charge it by its token. One token per card and merchant.
create table card_on_file (
  merchant_id    bigint      not null,
  token          text        not null check (token ~ '^KBO_[0-9A-F]{32}$'),
  fingerprint    text        not null,
  -- The card's number, encrypted. CVV and PIN are never stored.
  sealed_number  bytea       not null,
  expiry_month   text        not null check (expiry_month ~ '^(0[1-9]|1[0-2])$'),
  expiry_year    text        not null check (expiry_year ~ '^\d{4}$'),
  -- Of the first successful charge: later ones must name it.
  customer_email text        not null,
  created_at     timestamptz not null,
  primary key (merchant_id, token),
  unique (merchant_id, fingerprint)
);

alter table data_key
  -- The same key encrypted by the next master key, while one master key replaces the other.
  add column wrapped_next bytea,
  -- Real time: from then on new values are encrypted with it. Until then every node has learned of it.
  add column seals_from timestamptz not null default '-infinity';
