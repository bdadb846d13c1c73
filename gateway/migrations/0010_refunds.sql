-- Payments that go back.

-- Money of a payment that goes back to the customer, from the merchant's wallet. It is sent and asked about by its order.
create table refund (
  merchant_id                bigint      not null,
  id                         bigint      not null,
  -- Ours: the rail knows the refund by it, so handing it over twice moves money once.
  reference                  text        not null,
  -- The merchant's.
  refund_reference           text        not null,
  transaction_id             bigint      not null,
  transaction_reference      text        not null,
  status                     text        not null check (status in ('PENDING', 'COMPLETED', 'FAILED')),
  type                       text        not null check (type in ('FULL_REFUND', 'PARTIAL_REFUND')),
  amount                     bigint      not null check (amount > 0),
  fee                        bigint      not null check (fee >= 0),
  currency_code              text        not null,
  refund_reason              text        not null,
  customer_note              text        not null,
  comment                    text        not null,
  wallet_account_number      text        not null,
  -- How the payment came, and so how it goes back.
  method                     text        not null check (method in ('ACCOUNT_TRANSFER', 'CARD')),
  -- The card rail's reference of the charge that is undone.
  charge_reference           text,
  destination_account_number text,
  destination_account_name   text,
  destination_bank_code      text,
  created_at                 timestamptz not null,
  completed_at               timestamptz,
  primary key (merchant_id, id),
  unique (merchant_id, refund_reference),
  foreign key (merchant_id, transaction_id) references transaction,
  check ((status = 'PENDING') = (completed_at is null)),
  check ((method = 'CARD') = (charge_reference is not null)),
  check ((method = 'ACCOUNT_TRANSFER') = (destination_account_number is not null and destination_bank_code is not null))
);
create index refund_of_transaction on refund (merchant_id, transaction_id);
