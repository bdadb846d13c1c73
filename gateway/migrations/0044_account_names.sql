-- Banks that have issued account numbers are told where one has another name.

-- Whether its bank is to be told what it is called now.
alter table account_request add column renamed boolean not null default false;
create index account_request_renamed on account_request (merchant_id, id) where renamed;

alter table rail_order drop constraint rail_order_purpose_check;
alter table rail_order add constraint rail_order_purpose_check check (purpose in ('transfer', 'settlement-payout', 'refund',
  'card-charge', 'card-reversal', 'debit', 'vend', 'return', 'account-open', 'account-close', 'account-rename')) not valid;
