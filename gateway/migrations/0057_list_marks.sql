-- Long lists that are counted and paged through without reading them.

-- Every ten thousandth row of a merchant's long list: so many rows have ids up to this one. Rows of these lists are never
-- removed, and new ones have higher ids, so a mark stays right. They may be removed at any time, all of a merchant's list at
-- once: then they are made anew.
create table list_mark (
  merchant_id bigint not null,
  -- The table that the list is of.
  list        text   not null,
  up_to       bigint not null,
  count       bigint not null check (count > 0),
  primary key (merchant_id, list, up_to)
);
