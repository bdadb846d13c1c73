-- Money out: transfers and batches, their authorization and approval, paycodes and bills.

-- A batch of transfers that a merchant sends together. Its money is taken from the wallet as one sum.
create table transfer_batch (
  merchant_id                 bigint      not null,
  id                          bigint      not null,
  transaction_batch_reference text        not null,
  -- The merchant's own reference.
  batch_reference             text        not null,
  title                       text        not null,
  narration                   text        not null,
  source_account_number       text        not null,
  status                      text        not null check (status in ('PENDING_AUTHORIZATION', 'AWAITING_PROCESSING', 'IN_PROGRESS', 'COMPLETED', 'EXPIRED', 'FAILED')),
  -- Of the accepted items.
  total_amount                bigint      not null check (total_amount >= 0),
  total_fee                   bigint      not null check (total_fee >= 0),
  -- All items, including those that failed at once.
  items_count                 integer     not null check (items_count > 0),
  -- Items without an outcome yet.
  open_count                  integer     not null check (open_count between 0 and items_count),
  -- Percent of the batch between progress notifications; null if none are wanted.
  notification_interval       smallint    check (notification_interval between 1 and 100),
  -- The progress in percent at the last notification.
  notified_percent            smallint    not null default 0,
  created_at                  timestamptz not null,
  primary key (merchant_id, id),
  unique (merchant_id, batch_reference)
);
-- Batches with progress notifications still to send.
create index transfer_batch_to_notify on transfer_batch (merchant_id, id) where notification_interval is not null and notified_percent < 100;
-- A journal names its batch by our own reference.
create index transfer_batch_own_reference on transfer_batch (merchant_id, transaction_batch_reference);

-- A transfer from a wallet to a bank account, alone or as an item of a batch. Its order sends and queries it.
create table transfer (
  merchant_id                bigint      not null,
  id                         bigint      not null,
  transaction_reference      text        not null,
  -- The merchant's own reference.
  reference                  text        not null,
  -- Set on an item of a batch.
  batch_id                   bigint,
  -- An item whose reference was already used by another transfer: it failed, and the reference still means the other one.
  is_duplicate               boolean     not null default false,
  status                     text        not null check (status in ('PENDING_AUTHORIZATION', 'OTP_EMAIL_DISPATCH_FAILED', 'PENDING', 'SUCCESS', 'FAILED', 'REVERSED', 'EXPIRED')),
  amount                     bigint      not null check (amount > 0),
  fee                        bigint      not null check (fee >= 0),
  currency_code              text        not null,
  narration                  text        not null,
  source_account_number      text        not null,
  destination_bank_code      text        not null,
  destination_account_number text        not null,
  -- As the bank has it. On an item of a batch: as the merchant wrote it, or null until the bank was queried.
  destination_account_name   text,
  -- The merchant's name for the account differs slightly from the bank's.
  flagged                    boolean     not null,
  two_fa_enabled             boolean     not null,
  -- The sender if it is not the merchant, without the BVN.
  sender_info                json,
  -- Encrypted.
  sender_bvn                 text,
  session_id                 text,
  failure_reason             text,
  created_at                 timestamptz not null,
  completed_at               timestamptz,
  -- Business time: when it expires, while it waits for authorization.
  authorize_by               timestamptz,
  primary key (merchant_id, id),
  foreign key (merchant_id, batch_id) references transfer_batch
) with (fillfactor = 80);
create unique index transfer_reference on transfer (merchant_id, reference) where not is_duplicate;
create index transfer_of_batch on transfer (merchant_id, batch_id, id) where batch_id is not null;
create index transfer_unauthorized on transfer (authorize_by) where authorize_by is not null;
-- Finds the same transfer made a moment ago.
create index transfer_twin on transfer (merchant_id, destination_account_number, amount, created_at) where batch_id is null;

-- The newest code that authorizes a transfer or a batch.
create table transfer_authorization (
  merchant_id bigint      not null,
  -- The id of the transfer or the batch.
  owner_id    bigint      not null,
  -- A keyed hash, so that the six digits cannot be found from it.
  code_hash   text        not null,
  -- Null if the mail could not be sent.
  sent_at     timestamptz,
  -- How many wrong codes were tried since.
  tries       smallint    not null default 0,
  primary key (merchant_id, owner_id)
);

-- A merchant's wrong transfer codes, over all its transfers. One row per merchant that ever sent one.
create table transfer_code_guard (
  merchant_id  bigint      primary key,
  wrong        integer     not null check (wrong >= 0),
  -- Business time of the first one.
  counted_from timestamptz not null,
  -- No code authorizes anything until then.
  locked_until timestamptz
);

-- A payout that waits, or waited, for approval. Its status is that of the transfer or batch.
create table approval_request (
  merchant_id      bigint      not null,
  -- The transfer or the batch.
  owner_id         bigint      not null,
  kind             text        not null check (kind in ('TRANSFER', 'BATCH')),
  -- Null if the merchant's server made it.
  made_by          bigint      references person,
  approvals_needed smallint    not null check (approvals_needed between 1 and 2),
  -- Of amounts, destinations and narration: an approval covers exactly these.
  hash             text        not null,
  created_at       timestamptz not null,
  primary key (merchant_id, owner_id)
);
create index approval_request_age on approval_request (merchant_id, created_at);

-- A team member's verdict on a payout.
create table approval (
  merchant_id bigint      not null,
  owner_id    bigint      not null,
  person_id   bigint      not null references person,
  verdict     text        not null check (verdict in ('APPROVE', 'REJECT')),
  reason      text,
  -- Whether the same person made the payout, which a merchant's only approver may do up to a limit.
  is_own      boolean     not null,
  at          timestamptz not null,
  primary key (merchant_id, owner_id, person_id),
  foreign key (merchant_id, owner_id) references approval_request
);
create trigger approval_insert_only before update or delete or truncate on approval execute function refuse_change();

-- An approval policy that a merchant's owner has requested and that is not in effect yet. At most one per merchant.
create table approval_policy_change (
  merchant_id bigint      primary key references merchant,
  policy      json        not null,
  asked_by    bigint      not null references person,
  -- Null until another owner has approved it, if there is one.
  approved_by bigint      references person,
  -- Business time.
  counts_from timestamptz not null
);
create index approval_policy_change_due on approval_policy_change (counts_from) where approved_by is not null;

-- A paycode: cash that an agent pays out for a code.
create table paycode (
  merchant_id           bigint      not null,
  id                    bigint      not null,
  paycode_reference     text        not null,
  transaction_reference text        not null,
  -- The code, encrypted.
  sealed                bytea       not null,
  beneficiary_name      text        not null,
  wallet_account_number text        not null,
  amount                bigint      not null check (amount > 0),
  fee                   bigint      not null check (fee >= 0),
  status                text        not null check (status in ('PENDING', 'SUCCESS', 'EXPIRED', 'CANCELLED')),
  created_at            timestamptz not null,
  -- API keys.
  created_by            text        not null,
  modified_by           text,
  expires_at            timestamptz not null check (expires_at > created_at),
  completed_at          timestamptz check ((completed_at is null) = (status = 'PENDING')),
  primary key (merchant_id, id),
  unique (merchant_id, paycode_reference)
);
create index paycode_due on paycode (expires_at) where status = 'PENDING';
-- A journal names its paycode by our own reference.
create index paycode_own_reference on paycode (merchant_id, transaction_reference);

-- A code that can be paid out. The directory from code to paycode. It holds a keyed hash of the code, so a copy gives no cash.
create table open_paycode (
  code_hash   bytea  primary key,
  merchant_id bigint not null,
  paycode_id  bigint not null,
  unique (merchant_id, paycode_id)
);

-- A customer whom a biller has confirmed for a product. A vend that needs the confirmation must name it before it expires.
create table bill_validation (
  merchant_id          bigint      not null,
  validation_reference text        not null,
  product_code         text        not null,
  customer_id          text        not null,
  expires_at           timestamptz not null,
  primary key (merchant_id, validation_reference)
);
create index bill_validation_age on bill_validation (expires_at);

-- A payment to a biller, sent by its order. Its money has left the wallet and comes back if the biller fails.
create table bill_vend (
  merchant_id           bigint      not null,
  id                    bigint      not null,
  -- The merchant's own reference.
  reference             text        not null,
  -- Ours, by which the biller knows it.
  transaction_reference text        not null,
  status                text        not null check (status in ('PENDING', 'SUCCESS', 'FAILED')),
  account_number        text        not null,
  product_code          text        not null,
  product_name          text        not null,
  biller_code           text        not null,
  biller_name           text        not null,
  customer_id           text        not null,
  vend_amount           bigint      not null check (vend_amount > 0),
  -- The merchant's commission: the wallet pays the amount minus this.
  commission            bigint      not null check (commission >= 0 and commission < vend_amount),
  description           text        not null,
  -- The biller's output, for example the token of a prepaid meter.
  metadata              json        not null,
  created_at            timestamptz not null,
  completed_at          timestamptz,
  primary key (merchant_id, id),
  unique (merchant_id, reference),
  unique (merchant_id, transaction_reference),
  check ((status = 'PENDING') = (completed_at is null))
);
