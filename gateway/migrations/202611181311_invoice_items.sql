-- The items of an invoice: description, quantity and price in kobo. Null if only its amount is known.
alter table invoice add column items json;
