-- A team member's note on a transaction, for the team only. Erasing the customer replaces its text.
create table transaction_note (
  merchant_id    bigint      not null,
  id             bigint      not null,
  transaction_id bigint      not null,
  -- The email address of the user who wrote it.
  author         text        not null,
  text           text        not null check (length(text) between 1 and 2000),
  created_at     timestamptz not null,
  primary key (merchant_id, id)
);
create index transaction_note_of_transaction on transaction_note (merchant_id, transaction_id, id);
create trigger transaction_note_stays before delete or truncate on transaction_note execute function refuse_removal();
