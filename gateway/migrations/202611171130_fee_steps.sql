-- The steps of a stepped price at the time of the request, since the fee is that of the amount paid; null for other prices.
alter table transaction add column fee_steps json;
