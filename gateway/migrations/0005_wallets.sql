-- Customers' wallets, and money paid into wallets.

-- What a customer proved itself with, encrypted: BVN and date of birth. Set on customers' wallets alone.
alter table wallet add column bvn_details bytea check ((bvn_details is not null) = (type = 'CUSTOMER'));
create index wallet_of_customer on wallet (merchant_id, lower(customer_email)) where type = 'CUSTOMER';

-- A merchant's own wallet can be paid into under its number. The id of that wallet is the merchant's.
insert into virtual_account (bank_code, account_number, merchant_id, purpose, owner_id, account_name, opened_at)
select '50515', account_number, merchant_id, 'wallet', id, name, created_at from wallet where type = 'MAIN'
    on conflict do nothing;

-- Money that a bank says was paid into a wallet. The rail's own reference is used once.
create table top_up (
  merchant_id           bigint      not null,
  rail_reference        text        not null,
  wallet_account_number text        not null,
  amount                bigint      not null check (amount > 0),
  payer_name            text,
  payer_account_number  text,
  payer_bank_code       text,
  -- The number that was paid to: the wallet's own, or that of its top-up account.
  bank_code             text        not null,
  account_number        text        not null,
  received_at           timestamptz not null,
  primary key (merchant_id, rail_reference)
);
