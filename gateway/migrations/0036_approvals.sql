-- Maker and checker: a payout that one person makes waits until others have approved it.

-- How many must approve what, where the merchant has chosen that: {freeBelow, twoFrom, soleUpTo, coversApi}, in kobo.
alter table merchant add column approval_policy json;

-- A payout that waits for approval, or did. How it stands is the transfer's or the batch's own status.
create table approval_request (
  merchant_id      bigint      not null,
  -- The transfer or the batch.
  owner_id         bigint      not null,
  kind             text        not null check (kind in ('TRANSFER', 'BATCH')),
  -- Who made it; null where it was a server of the merchant's.
  made_by          bigint      references person,
  approvals_needed smallint    not null check (approvals_needed between 1 and 2),
  -- Of amounts, destinations and narration: what an approval covers.
  hash             text        not null,
  created_at       timestamptz not null,
  primary key (merchant_id, owner_id)
);
create index approval_request_age on approval_request (merchant_id, created_at);

-- What a person said of a payout that waited.
create table approval (
  merchant_id bigint      not null,
  owner_id    bigint      not null,
  person_id   bigint      not null references person,
  verdict     text        not null check (verdict in ('APPROVE', 'REJECT')),
  reason      text,
  -- Whether the person had made it, as a merchant's only approver may up to a limit.
  is_own      boolean     not null,
  at          timestamptz not null,
  primary key (merchant_id, owner_id, person_id),
  foreign key (merchant_id, owner_id) references approval_request
);
create trigger approval_insert_only before update or delete or truncate on approval execute function refuse_change();

-- A policy that a merchant's owner has asked for and that does not count yet. One for each merchant.
create table approval_policy_change (
  merchant_id bigint      primary key references merchant,
  policy      json        not null,
  asked_by    bigint      not null references person,
  -- Null until another owner has approved it, where there is one.
  approved_by bigint      references person,
  -- Business time.
  counts_from timestamptz not null
);
create index approval_policy_change_due on approval_policy_change (counts_from) where approved_by is not null;

-- A browser that several people sign in with is known to each of them.
alter table device drop constraint device_token_hash_key;
alter table device add constraint device_of_person unique (person_id, token_hash);
