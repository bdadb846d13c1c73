-- Card numbers stand apart, in a schema whose encrypted column only the vault's own role may read.

create schema vault;
alter table card_on_file set schema vault;

-- For nodes of the version before, which know the table by its old name, and are the owner of both.
create view card_on_file as
select merchant_id, token, fingerprint, sealed_number, expiry_month, expiry_year, customer_email, created_at
  from vault.card_on_file;
