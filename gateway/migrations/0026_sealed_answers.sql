-- Answers that are kept for an Idempotency-Key are encrypted, and bodies kept as a keyed hash. What was kept in clear is
-- forgotten: the references of the requests still make each of them happen once.

delete from idempotency_key;
alter table idempotency_key alter column answer type bytea using null;
