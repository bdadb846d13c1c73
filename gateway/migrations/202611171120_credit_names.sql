-- The names of credits and of disputes, each used once over all merchants.

-- The directory of credits: a partner, a bank and the bank's reference name one credit, whichever merchant has its account, and
-- also if no merchant has it (merchant 0). A second notification with the same account and amount is a repeat, any other is a
-- conflict. Credits from before this table are known to their own merchants only.
create table credit_name (
  rail_reference text   not null,
  bank_code      text   not null,
  partner        text   not null,
  merchant_id    bigint not null,
  account_number text   not null,
  amount         bigint not null check (amount > 0),
  primary key (rail_reference, bank_code, partner)
);
create trigger credit_name_insert_only before update or delete or truncate on credit_name execute function refuse_change();
