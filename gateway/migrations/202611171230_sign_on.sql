-- Sign-on with OpenID Connect: users sign in to a team through its identity provider.

-- A merchant team's identity provider. The operator's own is configuration.
create table sign_on (
  merchant_id        bigint      primary key references merchant,
  issuer             text        not null,
  client_id          text        not null,
  -- Encrypted.
  client_secret      bytea       not null,
  -- E-mail domains whose members the provider may sign in.
  domains            text[]      not null check (cardinality(domains) > 0),
  -- Whether members must sign in through the provider. Owners may still use their password.
  is_required        boolean     not null,
  -- The values of `amr` or `acr` that count as a second factor; none means that our own is needed.
  second_factor      text[]      not null,
  -- Business time from which they count: a change waits, so that no owner alone can act as another.
  second_factor_from timestamptz check ((second_factor_from is null) = (cardinality(second_factor) = 0)),
  changed_by         bigint      not null references person,
  changed_at         timestamptz not null
);

-- A user at a team's provider. The first sign-on finds the user by verified e-mail address, later ones find them here.
create table sign_on_identity (
  -- 0 for the operator's team.
  merchant_id bigint      not null,
  issuer      text        not null,
  subject     text        not null,
  person_id   bigint      not null references person,
  created_at  timestamptz not null,
  primary key (merchant_id, issuer, subject),
  -- Another user of the provider cannot take over a member by their e-mail address.
  constraint sign_on_identity_person unique (merchant_id, issuer, person_id)
);

-- A sign-on under way in one browser, which has the token in a cookie. It works once and expires within minutes.
create table sign_on_attempt (
  token_hash  text        primary key,
  merchant_id bigint      not null,
  -- The invitation that it accepts, if any.
  link_hash   text,
  -- The session that it confirms an action for, if any.
  session_id  bigint,
  expires_at  timestamptz not null
);
create index sign_on_attempt_over on sign_on_attempt (expires_at);

alter table session
  -- The team whose provider signed the user in (0: the operator's); null after a sign-in with the user's own credentials.
  add column sign_on     bigint,
  -- Whether the provider alone vouches for the user: the session can use the team, but not the user's account.
  add column is_confined boolean not null default false;
