-- Payments to billers from the wallet.

-- A customer whom a biller has confirmed for a product: a vend that needs it names it before its time is over.
create table bill_validation (
  merchant_id          bigint      not null,
  validation_reference text        not null,
  product_code         text        not null,
  customer_id          text        not null,
  expires_at           timestamptz not null,
  primary key (merchant_id, validation_reference)
);
create index bill_validation_age on bill_validation (expires_at);

-- A payment to a biller, asked for by its order. Its money has left the wallet; it comes back when the biller fails.
create table bill_vend (
  merchant_id           bigint      not null,
  id                    bigint      not null,
  -- The merchant's own reference.
  reference             text        not null,
  -- Ours, under which the biller knows it.
  transaction_reference text        not null,
  status                text        not null check (status in ('PENDING', 'SUCCESS', 'FAILED')),
  account_number        text        not null,
  product_code          text        not null,
  product_name          text        not null,
  biller_code           text        not null,
  biller_name           text        not null,
  customer_id           text        not null,
  vend_amount           bigint      not null check (vend_amount > 0),
  -- What the merchant earns: the wallet pays the amount less this.
  commission            bigint      not null check (commission >= 0 and commission < vend_amount),
  description           text        not null,
  -- What the biller hands over, as the token of a prepaid meter.
  metadata              json        not null,
  created_at            timestamptz not null,
  completed_at          timestamptz,
  primary key (merchant_id, id),
  unique (merchant_id, reference),
  unique (merchant_id, transaction_reference),
  check ((status = 'PENDING') = (completed_at is null))
);
