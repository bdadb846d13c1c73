-- Links that anyone can pay.

-- A link that a merchant gives to whoever is to pay: for an amount or for any, once or as often as somebody wants.
create table payment_link (
  merchant_id     bigint      not null references merchant (id),
  id              bigint      not null,
  -- The merchant's own; one reference, one link.
  reference       text        not null,
  -- What stands behind /pay/ in its address: random, and by it alone whoever has the link is served. A directory over all merchants.
  slug            text        not null unique check (slug ~ '^[a-z2-9]{16}$'),
  -- What the payer reads first.
  title           text        not null,
  description     text,
  contract_code   text        not null,
  -- Null where the payer says how much.
  amount          bigint      check (amount > 0),
  -- ONCE: nobody can pay it after somebody did.
  usage           text        not null check (usage in ('ONCE', 'OFTEN')),
  payment_methods text[]      not null,
  -- Where payers go afterwards.
  redirect_url    text,
  created_at      timestamptz not null,
  -- Nobody can pay from then on.
  expires_at      timestamptz,
  disabled_at     timestamptz,
  -- The transaction that was opened last through a link that is paid once.
  transaction_id  bigint,
  primary key (merchant_id, id),
  unique (merchant_id, reference)
);
comment on table payment_link is
  'A link that a merchant gives to whoever is to pay: for an amount or for any, once or often. Each payer who goes on gets a transaction of their own; a link that is paid once has one at a time.';
