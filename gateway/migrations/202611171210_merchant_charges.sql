-- Money that a partner paid for a merchant although the ledger had given it back, such as a transfer that two people called
-- failed by mistake. Two operators charge the merchant: its wallet first, and the rest is its debt.
create table merchant_charge (
  merchant_id           bigint      not null,
  -- The id of the decision about the statement. A debt has the same.
  id                    bigint      not null,
  reference             text        not null,
  partner               text        not null,
  wallet_account_number text        not null,
  amount                bigint      not null check (amount > 0),
  from_wallet           bigint      not null check (from_wallet between 0 and amount),
  charged_at            timestamptz not null,
  primary key (merchant_id, id),
  unique (merchant_id, reference)
);
create trigger merchant_charge_insert_only before update or delete or truncate on merchant_charge execute function refuse_change();
