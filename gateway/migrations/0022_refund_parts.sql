-- Refunds of several payments.

-- The payment that goes back; null where several do, each with its part, and where this was not written down.
alter table refund add column payment_id bigint;

-- What goes back of one of several payments that a refund returns: by the way that the payment came, asked for by an order of
-- its own. A refund that returns one payment has no parts.
create table refund_part (
  merchant_id                bigint      not null,
  id                         bigint      not null,
  refund_id                  bigint      not null,
  payment_id                 bigint      not null,
  -- Ours: the rail knows it by this.
  reference                  text        not null,
  status                     text        not null check (status in ('PENDING', 'COMPLETED', 'FAILED')),
  amount                     bigint      not null check (amount > 0),
  -- Its share of the refund's fee.
  fee                        bigint      not null check (fee >= 0),
  method                     text        not null check (method in ('ACCOUNT_TRANSFER', 'CARD')),
  charge_reference           text,
  destination_account_number text,
  destination_account_name   text,
  destination_bank_code      text,
  -- Why it failed.
  failure                    text,
  primary key (merchant_id, id),
  unique (merchant_id, reference),
  unique (merchant_id, refund_id, payment_id),
  foreign key (merchant_id, refund_id) references refund,
  check ((status = 'FAILED') = (failure is not null)),
  check ((method = 'CARD') = (charge_reference is not null)),
  check ((method = 'ACCOUNT_TRANSFER') = (destination_account_number is not null and destination_bank_code is not null))
);
