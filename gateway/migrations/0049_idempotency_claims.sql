-- A key that was taken by a request which lost its connection as it took it.

-- A number that only that request knows: by it the key is given up, since nobody heard until when it was taken.
alter table idempotency_key add column claim bigint;
