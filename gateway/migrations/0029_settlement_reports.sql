-- Sub accounts are told by mail what was settled to them.

-- Whom a mail goes to, where that is not the merchant itself.
alter table notice add column recipient text;
