-- A merchant's customers are their own records: no table lists them. These indexes find the records of an email address.
create index transaction_of_customer on transaction (merchant_id, lower(customer_email), id);
create index reserved_account_of_customer on reserved_account (merchant_id, lower(customer_email), id);
create index mandate_of_customer on mandate (merchant_id, lower(customer_email_address), id);
create index card_on_file_of_customer on vault.card_on_file (merchant_id, lower(customer_email));
