-- The pages that payers see.

-- The site on whose page the inline script opened a transaction: only its pages may show that checkout in a frame.
create table checkout_frame (
  merchant_id    bigint not null,
  transaction_id bigint not null,
  origin         text   not null check (origin ~ '^https?://[^/]+$'),
  primary key (merchant_id, transaction_id),
  foreign key (merchant_id, transaction_id) references transaction
);
