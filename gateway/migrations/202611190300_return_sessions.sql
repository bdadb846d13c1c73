-- The inter-bank reference under which the money went back to its payer: a bank's statement may name only this one.
alter table credit_return add column session_id text;
