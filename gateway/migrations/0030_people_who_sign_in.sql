-- People who sign in to the dashboard: a merchant's team, and the operator's. Payers never do.
-- A person is found by an e-mail address and a session by a cookie, so these tables are directories: they are no merchant's.
-- Sessions, links and codes live in real time, whatever the sandbox's clock says. Tokens stand here as hashes alone.

-- Somebody who signs in.
create table person (
  id            bigint      primary key,
  -- As the person wrote it, and in lower case as it is compared.
  email         text        not null,
  email_key     text        not null unique check (email_key = lower(email)),
  name          text        not null,
  -- What the person does for whoever runs the gateway, if anything.
  operator_role text        check (operator_role in ('operator', 'auditor', 'operator-support')),
  created_at    timestamptz not null
);

-- What a person does for a merchant. Taken away, the row is gone; the audit tells of it.
create table membership (
  merchant_id bigint      not null references merchant,
  person_id   bigint      not null references person,
  role        text        not null check (role in ('owner', 'admin', 'developer', 'finance', 'support', 'viewer')),
  -- Whether the person approves payouts, where the role leaves that open.
  approves    boolean     not null default false,
  created_at  timestamptz not null,
  primary key (merchant_id, person_id)
);
create index membership_person on membership (person_id);

-- A browser that a person has signed in with: one that is known is not held up by who guesses passwords elsewhere.
create table device (
  person_id    bigint      not null references person,
  id           bigint      not null,
  token_hash   text        not null unique,
  -- What the browser says of itself.
  agent        text        not null,
  first_at     timestamptz not null,
  last_at      timestamptz not null,
  primary key (person_id, id)
);

-- A browser in which a person is signed in, or on the way there.
create table session (
  id               bigint      primary key,
  token_hash       text        not null unique,
  person_id        bigint      not null references person,
  -- For whom the person acts now; null for the operator's people and for who is in no team.
  merchant_id      bigint      references merchant,
  device_id        bigint      not null,
  address          text        not null,
  agent            text        not null,
  started_at       timestamptz not null,
  last_seen_at     timestamptz not null,
  expires_at       timestamptz not null,
  -- When the second factor was shown last.
  second_factor_at timestamptz,
  ended_at         timestamptz
);
create index session_person on session (person_id) where ended_at is null;
create index session_over on session (expires_at);

-- The password of a person who has one: what argon2id makes of it, with its settings and salt.
create table password (
  person_id  bigint      primary key references person,
  hash       text        not null check (hash like '$argon2id$%'),
  changed_at timestamptz not null
);

-- Something that a person has beside the password: a program that makes codes (TOTP), or a passkey.
create table second_factor (
  person_id     bigint      not null references person,
  id            bigint      not null,
  kind          text        not null check (kind in ('TOTP', 'PASSKEY')),
  name          text        not null,
  -- TOTP: the secret, encrypted, and the newest step of which a code was taken: each is taken once.
  secret        bytea,
  last_step     bigint,
  -- Passkey: what it is called and checked by, and how often it says that it was used.
  credential_id text        unique,
  public_key    text,
  counter       bigint,
  created_at    timestamptz not null,
  -- Null until the person has shown it once: until then it counts for nothing.
  confirmed_at  timestamptz,
  last_used_at  timestamptz,
  primary key (person_id, id),
  check ((kind = 'TOTP' and secret is not null) or (kind = 'PASSKEY' and credential_id is not null and public_key is not null))
);

-- Codes for a person who has lost the second factor. Each is taken once.
create table backup_code (
  person_id bigint      not null references person,
  hash      text        not null,
  used_at   timestamptz,
  primary key (person_id, hash)
);

-- A link that was mailed, or printed where the sandbox started. Each leads in once.
create table sign_in_link (
  token_hash    text        primary key,
  id            bigint      not null unique,
  -- INVITATION into a team, RESET of a password, VERIFICATION of an address, SIGN_IN in the sandbox.
  kind          text        not null check (kind in ('INVITATION', 'RESET', 'VERIFICATION', 'SIGN_IN')),
  email         text        not null,
  -- Into whose team, and as what; or as what of the operator's.
  merchant_id   bigint      references merchant,
  role          text,
  approves      boolean     not null default false,
  -- Who asked for it; null where it was the command line.
  invited_by    bigint      references person,
  created_at    timestamptz not null,
  expires_at    timestamptz not null,
  used_at       timestamptz
);
create index sign_in_link_merchant on sign_in_link (merchant_id) where used_at is null;
create index sign_in_link_over on sign_in_link (expires_at);

-- What a passkey is asked to sign: taken once, within minutes.
create table passkey_challenge (
  challenge  text        primary key,
  -- Null where nobody is known yet.
  person_id  bigint      references person,
  expires_at timestamptz not null
);
create index passkey_challenge_over on passkey_challenge (expires_at);
