-- A refusal that is repeated for an Idempotency-Key carries its code again.

-- The code of the refusal that was answered; null where the request succeeded.
alter table idempotency_key add column refusal text;
