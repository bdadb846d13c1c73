-- An event's row is written three times: made, leased, delivered. With room beside it each new version stands on the same page, so
-- that a lease is no entry in any index and the log of changes holds what changed, not the event's text once more. Rows that are
-- there stay as they are; nothing is read or rewritten.
alter table event set (fillfactor = 50);
