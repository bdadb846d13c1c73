-- Card charges and cards on file.

-- An attempt to charge a card for a transaction. Only one is open at a time: the first is unique by its number, and each further
-- one is opened under the lock of the transaction. Transactions are never deleted, so it needs no foreign key.
create table card_attempt (
  merchant_id    bigint      not null,
  transaction_id bigint      not null,
  -- Counts the charges of the transaction.
  number         smallint    not null check (number between 1 and 10),
  -- Our reference at the card network: one reference, one charge. Also the id of the OTP and of 3-D Secure.
  reference      text        not null check (length(reference) = 32),
  status         text        not null check (status in ('CHARGING', 'OTP_REQUIRED', 'AUTHORIZING', 'SECURE_3D_REQUIRED', 'UNKNOWN', 'APPROVED', 'DECLINED', 'SUPERSEDED', 'REVERSING', 'REVERSED', 'REVERSAL_REFUSED')),
  amount         bigint      not null check (amount > 0),
  -- Requested by the merchant's server, or by the hosted checkout.
  channel        text        not null check (channel in ('API_NOTIFICATION', 'WEB_SDK')),
  -- The same for the same card of the same merchant; reveals nothing else about the card.
  fingerprint    text        not null,
  -- The parts of the card that may be shown, with its number masked.
  card           json        not null,
  -- Set if a card on file is charged.
  card_token     text,
  otp_tries      smallint    not null default 0 check (otp_tries between 0 and 5),
  -- The issuer's page for 3-D Secure.
  acs_url        text,
  acs_method     text        check (acs_method in ('GET', 'POST')),
  -- Why it was declined, or why its money was returned.
  reason         text,
  -- The card's number, encrypted, while its holder authenticates. If that succeeds, the card is put on file.
  held_number    text        check (held_number is null or status in ('OTP_REQUIRED', 'AUTHORIZING', 'SECURE_3D_REQUIRED', 'UNKNOWN')),
  opened_at      timestamptz not null,
  settled_at     timestamptz,
  -- The order to the card network. The attempt's reference starts with its id.
  order_id       bigint      not null,
  -- Consent to put the card on file: none; merchant, if its server charged the card; on-file, if it is there already; or the
  -- version of the text that the payer accepted on the checkout. unasked: made before consent was recorded.
  consent        text        not null default 'unasked'
    check (consent in ('none', 'merchant', 'on-file', 'unasked') or consent ~ '^checkout-\d+$'),
  -- The last OTP that was tried, as a keyed hash that is bound to the attempt.
  otp_hash       text,
  primary key (merchant_id, transaction_id, number)
) with (fillfactor = 80);
create index card_attempt_declined on card_attempt (merchant_id, fingerprint, opened_at) where status = 'DECLINED';
-- The directory from an issuer's page to its attempt.
create index card_attempt_challenged on card_attempt (reference) where acs_url is not null;

-- Card numbers. Only the vault's own role may read the encrypted column.
create schema vault;

-- A card on file, which the merchant may charge by its token. One token per card and merchant.
create table vault.card_on_file (
  merchant_id    bigint      not null,
  token          text        not null check (token ~ '^KBO_[0-9A-F]{32}$'),
  fingerprint    text        not null,
  -- The card's number, encrypted. CVV and PIN are never stored.
  sealed_number  bytea       not null,
  expiry_month   text        not null check (expiry_month ~ '^(0[1-9]|1[0-2])$'),
  expiry_year    text        not null check (expiry_year ~ '^\d{4}$'),
  -- The e-mail address of the first successful charge; later charges must name it.
  customer_email text        not null,
  created_at     timestamptz not null,
  primary key (merchant_id, token),
  unique (merchant_id, fingerprint)
);
-- The same table without its schema, for the owner only.
create view card_on_file as
select merchant_id, token, fingerprint, sealed_number, expiry_month, expiry_year, customer_email, created_at
  from vault.card_on_file;

-- How many cards were declined in a window of time, by a common property: an address, a card, a BIN at a merchant, a merchant.
-- Card testing moves from merchant to merchant, so these rows have no merchant. Addresses and cards are keyed hashes.
create table card_decline_count (
  key         text        not null,
  -- Business time: when counting starts over.
  window_ends timestamptz not null,
  declines    integer     not null check (declines > 0),
  -- No card is charged for it until the window ends.
  blocked     boolean     not null default false,
  primary key (key, window_ends)
);
create index card_decline_count_over on card_decline_count (window_ends);
