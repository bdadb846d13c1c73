-- The language of mails to payers, by its code; null is English.
alter table notice add column language text;
-- The requested language of the mail that asks for the authorization.
alter table mandate add column language text;
