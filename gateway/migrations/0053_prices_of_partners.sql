-- What partners charge us, as data.

-- A price that a partner has for a method, from a time on. Never changed, never removed: another one takes over from its time
-- on, the later made where two begin at once. The operator's own.
create table partner_price (
  id               bigint      primary key,
  partner          text        not null,
  -- By which means money comes or goes, as entries of the reconciliation have it: bank-transfer, card, transfers, refunds, …
  method           text        not null,
  -- By amount, the smallest first: [{upTo, basisPoints, flat, cap}] in kobo, as in price.
  steps            json        not null check (json_array_length(steps) > 0),
  -- The tax that is added to it.
  vat_basis_points integer     not null check (vat_basis_points between 0 and 10000),
  -- Business time.
  valid_from       timestamptz not null,
  made_at          timestamptz not null,
  made_by          text        not null
);
create index partner_price_of_partner on partner_price (partner, method, valid_from);
create trigger partner_price_insert_only before update or delete or truncate on partner_price execute function refuse_change();
