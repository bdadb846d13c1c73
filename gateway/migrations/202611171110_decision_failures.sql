-- A decision on an order that cannot be carried out is tried three times; then people may replace it.
alter table order_decision add column failures smallint not null default 0;
-- Why the last attempt to carry it out failed.
alter table order_decision add column failure text;
