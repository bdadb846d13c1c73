-- Balances that every payment of a merchant changes: their changes are appended, and added to their rows in the background.

-- A change of a balance that is not yet in the row of its account: an account holds its balance and the sum of these. They are
-- removed by the transaction that adds them to the account. Only accounts that nobody spends from under a lock have them.
create table balance_change (
  merchant_id bigint not null,
  id          bigint not null,
  code        text   not null,
  change      bigint not null,
  primary key (merchant_id, id)
);
