-- Vends are sent and asked about by their orders.
drop index if exists bill_vend_due;
alter table bill_vend
  drop column asked,
  drop column next_ask_at;
