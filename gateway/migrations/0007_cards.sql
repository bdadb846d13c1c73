-- Cards: every charge that was tried, and the cards on file.

-- A try to charge a card for a transaction. One at a time: the first is alone under its number, and each further one is
-- opened while the transaction is locked, by someone who has seen all before it. Transactions are never removed, so there
-- is nothing for a foreign key to find.
create table card_attempt (
  merchant_id    bigint      not null,
  transaction_id bigint      not null,
  -- Counts the charges of the transaction.
  number         smallint    not null check (number between 1 and 10),
  -- Ours, told to the card network: one reference, one charge. Also the id of the OTP and of 3-D Secure.
  reference      text        not null check (length(reference) = 32),
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
  -- The order by which the network is asked for it. Its reference starts with it.
  order_id       bigint      not null,
  primary key (merchant_id, transaction_id, number)
) with (fillfactor = 80);
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
