-- Long lists that are counted by a status without reading them.

-- How many rows from the mark before up to this one have which status, set once none of them changes its status any more.
alter table list_mark add column by_status jsonb;
