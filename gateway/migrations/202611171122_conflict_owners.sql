-- For whom a conflicting credit came, and what the partner deducted from it.

-- The purpose and the owner of its account number when it was reported: if it is accepted later, it goes to them. Null for conflicts
-- from before these columns.
alter table credit_conflict add column purpose text;
alter table credit_conflict add column owner_id bigint;
-- The fee, and the VAT on it, that the partner reported with it.
alter table credit_conflict add column fee bigint check (fee >= 0);
alter table credit_conflict add column vat bigint check (vat >= 0);

-- The directory of disputes: a partner's reference names one dispute, whichever merchant's payment it is about. Disputes from before
-- this table are known to their own merchants only.
create table dispute_name (
  partner           text   not null,
  partner_reference text   not null,
  merchant_id       bigint not null,
  primary key (partner, partner_reference)
);
create trigger dispute_name_insert_only before update or delete or truncate on dispute_name execute function refuse_change();
