-- Users who sign in to the dashboard: merchants' teams and the operator's team. Customers who pay never sign in.
-- Users are found by e-mail address and sessions by cookie, so these tables are directories without a merchant.
-- Sessions, links and codes use real time, whatever the sandbox's clock says. Tokens are stored only as hashes.

-- A user who signs in.
create table person (
  id            bigint      primary key,
  -- As the user wrote it.
  email         text        not null,
  -- In lower case, for comparison.
  email_key     text        not null unique check (email_key = lower(email)),
  name          text        not null,
  -- The user's role in the operator's team, if any.
  operator_role text        check (operator_role in ('operator', 'auditor', 'operator-support')),
  created_at    timestamptz not null
);

-- A user's role in a merchant's team. The row is deleted when the user leaves; the audit log keeps a record.
create table membership (
  merchant_id bigint      not null references merchant,
  person_id   bigint      not null references person,
  role        text        not null check (role in ('owner', 'admin', 'developer', 'finance', 'support', 'viewer')),
  -- Whether the user approves payouts, if the role does not decide it.
  approves    boolean     not null default false,
  created_at  timestamptz not null,
  primary key (merchant_id, person_id)
);
create index membership_person on membership (person_id);

-- A browser that a user has signed in with. A known browser is not slowed down by password guessing elsewhere. Several users
-- may share one browser.
create table device (
  person_id    bigint      not null references person,
  id           bigint      not null,
  token_hash   text        not null,
  -- The browser's user agent.
  agent        text        not null,
  first_at     timestamptz not null,
  last_at      timestamptz not null,
  primary key (person_id, id),
  constraint device_of_person unique (person_id, token_hash)
);

-- A session of a user in one browser, also before the second factor is shown.
create table session (
  id               bigint      primary key,
  token_hash       text        not null unique,
  person_id        bigint      not null references person,
  -- The merchant for whom the user acts now; null for operators and for users without a team.
  merchant_id      bigint      references merchant,
  device_id        bigint      not null,
  address          text        not null,
  agent            text        not null,
  started_at       timestamptz not null,
  last_seen_at     timestamptz not null,
  expires_at       timestamptz not null,
  -- When the second factor was last shown.
  second_factor_at timestamptz,
  ended_at         timestamptz
);
create index session_person on session (person_id) where ended_at is null;
create index session_over on session (expires_at);

-- A user's password as an argon2id hash, with its parameters and salt.
create table password (
  person_id  bigint      primary key references person,
  hash       text        not null check (hash like '$argon2id$%'),
  changed_at timestamptz not null
);

-- A user's second factor: an authenticator app (TOTP) or a passkey.
create table second_factor (
  person_id     bigint      not null references person,
  id            bigint      not null,
  kind          text        not null check (kind in ('TOTP', 'PASSKEY')),
  name          text        not null,
  -- TOTP: the secret, encrypted, and the newest time step whose code was used. Each code works once.
  secret        bytea,
  last_step     bigint,
  -- Passkey: its id, its public key, and its signature counter.
  credential_id text        unique,
  public_key    text,
  counter       bigint,
  created_at    timestamptz not null,
  -- Null until the user has shown it once; until then it has no effect.
  confirmed_at  timestamptz,
  last_used_at  timestamptz,
  primary key (person_id, id),
  check ((kind = 'TOTP' and secret is not null) or (kind = 'PASSKEY' and credential_id is not null and public_key is not null))
);

-- A backup code, for a user who has lost the second factor. Each works once.
create table backup_code (
  person_id bigint      not null references person,
  hash      text        not null,
  used_at   timestamptz,
  primary key (person_id, hash)
);

-- A sign-in link that was mailed, or printed when the sandbox started. Each works once.
create table sign_in_link (
  token_hash    text        primary key,
  id            bigint      not null unique,
  -- INVITATION to a team, RESET of a password, VERIFICATION of an address, SIGN_IN in the sandbox.
  kind          text        not null check (kind in ('INVITATION', 'RESET', 'VERIFICATION', 'SIGN_IN')),
  email         text        not null,
  -- The team and the role of an invitation; without a merchant, a role in the operator's team.
  merchant_id   bigint      references merchant,
  role          text,
  approves      boolean     not null default false,
  -- Null if the command line made it.
  invited_by    bigint      references person,
  created_at    timestamptz not null,
  expires_at    timestamptz not null,
  used_at       timestamptz
);
create index sign_in_link_merchant on sign_in_link (merchant_id) where used_at is null;
create index sign_in_link_over on sign_in_link (expires_at);

-- A challenge for a passkey to sign. It works once and expires within minutes.
create table passkey_challenge (
  challenge  text        primary key,
  -- Null while the user is unknown.
  person_id  bigint      references person,
  expires_at timestamptz not null
);
create index passkey_challenge_over on passkey_challenge (expires_at);
