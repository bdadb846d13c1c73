-- What we charge, as data.

-- A price of something, from a time on: of one contract, of one merchant, or of all who have none of their own. Never
-- changed, never removed: another one takes over from its time on, the later made where two begin at once. No merchant's
-- data alone, so its key is its id; all prices that count are kept in memory with their merchants.
create table price (
  id            bigint      primary key,
  -- Null where it is everybody's.
  merchant_id   bigint      references merchant,
  contract_code text,
  service       text        not null check (service in (
    'collection', 'cash-collection', 'transfer', 'refund', 'paycode', 'verification/bvn-details', 'verification/bvn-account',
    'verification/nin-details', 'mandate-token')),
  -- By amount, the smallest first: [{upTo, basisPoints, flat, cap}] in kobo, with upTo null in the last and cap null where
  -- there is none. Null where from then on there is no price of the merchant's (the contract's) own.
  steps         json        check (json_array_length(steps) > 0),
  -- Business time.
  valid_from    timestamptz not null,
  made_at       timestamptz not null,
  made_by       text        not null,
  foreign key (merchant_id, contract_code) references contract,
  check (contract_code is null or (merchant_id is not null and service in ('collection', 'cash-collection'))),
  check (steps is not null or merchant_id is not null)
);
create index price_of_merchant on price (merchant_id, contract_code, service, valid_from);
create trigger price_insert_only before update or delete or truncate on price execute function refuse_change();

insert into price (id, service, steps, valid_from, made_at, made_by)
select row_number() over (), service, steps, '2024-01-01T00:00:00Z', '2024-01-01T00:00:00Z', 'standard'
  from (values
    ('collection',               json '[{"upTo": null, "basisPoints": 150, "flat": 0, "cap": 200000}]'),
    ('cash-collection',          json '[{"upTo": null, "basisPoints": 100, "flat": 0, "cap": 100000}]'),
    ('transfer',                 json '[{"upTo": 999999, "basisPoints": 0, "flat": 1000, "cap": null},
                                        {"upTo": 5000000, "basisPoints": 0, "flat": 2000, "cap": null},
                                        {"upTo": null, "basisPoints": 0, "flat": 4000, "cap": null}]'),
    ('refund',                   json '[{"upTo": null, "basisPoints": 0, "flat": 1000, "cap": null}]'),
    ('paycode',                  json '[{"upTo": null, "basisPoints": 0, "flat": 5000, "cap": null}]'),
    ('verification/bvn-details', json '[{"upTo": null, "basisPoints": 0, "flat": 1000, "cap": null}]'),
    ('verification/bvn-account', json '[{"upTo": null, "basisPoints": 0, "flat": 1000, "cap": null}]'),
    ('verification/nin-details', json '[{"upTo": null, "basisPoints": 0, "flat": 6000, "cap": null}]'),
    ('mandate-token',            json '[{"upTo": null, "basisPoints": 0, "flat": 5000, "cap": null}]')
  ) as standard (service, steps);
