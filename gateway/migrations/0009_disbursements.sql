-- Money out: transfers from wallets to bank accounts, alone and in batches.

-- Transfers that a merchant sends together. Their money is taken from the wallet as one sum.
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
  -- Of the items that were accepted.
  total_amount                bigint      not null check (total_amount >= 0),
  total_fee                   bigint      not null check (total_fee >= 0),
  -- Of all items, those that failed at once among them.
  items_count                 integer     not null check (items_count > 0),
  -- Items that have come to no end yet.
  open_count                  integer     not null check (open_count between 0 and items_count),
  -- Percent of the batch between progress notices; null where none are wanted.
  notification_interval       smallint    check (notification_interval between 1 and 100),
  -- How far it had come, in percent, when the last notice was sent.
  notified_percent            smallint    not null default 0,
  created_at                  timestamptz not null,
  primary key (merchant_id, id),
  unique (merchant_id, batch_reference)
);
-- Batches whose merchant is still to be told of progress.
create index transfer_batch_to_notify on transfer_batch (merchant_id, id) where notification_interval is not null and notified_percent < 100;

-- A transfer from a wallet to a bank account, alone or as an item of a batch. It is sent and asked about by its order.
create table transfer (
  merchant_id                bigint      not null,
  id                         bigint      not null,
  transaction_reference      text        not null,
  -- The merchant's own reference.
  reference                  text        not null,
  -- Set on an item of a batch.
  batch_id                   bigint,
  -- An item whose reference was another transfer's already: it failed, and the reference goes on meaning the other.
  is_duplicate               boolean     not null default false,
  status                     text        not null check (status in ('PENDING_AUTHORIZATION', 'OTP_EMAIL_DISPATCH_FAILED', 'PENDING', 'SUCCESS', 'FAILED', 'REVERSED', 'EXPIRED')),
  amount                     bigint      not null check (amount > 0),
  fee                        bigint      not null check (fee >= 0),
  currency_code              text        not null,
  narration                  text        not null,
  source_account_number      text        not null,
  destination_bank_code      text        not null,
  destination_account_number text        not null,
  -- As the bank holds it. On an item of a batch as the merchant wrote it, or null until the bank has been asked.
  destination_account_name   text,
  -- The name that the merchant wrote is not quite the bank's.
  flagged                    boolean     not null,
  two_fa_enabled             boolean     not null,
  -- Who stands behind it where that is not the merchant, without the BVN.
  sender_info                json,
  -- Encrypted.
  sender_bvn                 text,
  session_id                 text,
  failure_reason             text,
  created_at                 timestamptz not null,
  completed_at               timestamptz,
  -- Business time: when it expires, while it awaits authorization.
  authorize_by               timestamptz,
  primary key (merchant_id, id),
  foreign key (merchant_id, batch_id) references transfer_batch
) with (fillfactor = 80);
create unique index transfer_reference on transfer (merchant_id, reference) where not is_duplicate;
create index transfer_of_batch on transfer (merchant_id, batch_id, id) where batch_id is not null;
create index transfer_unauthorized on transfer (authorize_by) where authorize_by is not null;
-- Finds the same transfer made a moment ago.
create index transfer_twin on transfer (merchant_id, destination_account_number, amount, created_at) where batch_id is null;

-- The code that authorises a transfer or a batch: the last one that was made for it.
create table transfer_authorization (
  merchant_id bigint      not null,
  -- The id of the transfer or of the batch.
  owner_id    bigint      not null,
  -- Keyed, so that the six digits cannot be found from it.
  code_hash   text        not null,
  -- Null where the mail could not be sent.
  sent_at     timestamptz,
  -- How often a wrong code was tried since.
  tries       smallint    not null default 0,
  primary key (merchant_id, owner_id)
);
