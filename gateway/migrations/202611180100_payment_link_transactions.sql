-- The transactions that payers have started through a payment link.
create table payment_link_transaction (
  merchant_id    bigint not null,
  link_id        bigint not null,
  transaction_id bigint not null,
  primary key (merchant_id, link_id, transaction_id)
);
create trigger payment_link_transaction_insert_only before update or delete or truncate on payment_link_transaction execute function refuse_change();
