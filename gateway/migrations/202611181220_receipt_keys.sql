-- A key that signs receipts. The newest one signs. The public keys of all are published, so receipts that older ones signed
-- stay valid.
create table receipt_key (
  id          smallint    primary key check (id > 0),
  -- The public key as SPKI, in base64.
  public_key  text        not null,
  -- The private key as PKCS#8, encrypted; null once a newer key has replaced it.
  private_key bytea,
  created_at  timestamptz not null
);
create trigger receipt_key_stays before delete or truncate on receipt_key execute function refuse_removal();
