-- How a statement lists the merchants of its set.

-- Whether a merchant is among those of a set. PostgreSQL puts the body in its place. In `coalesce` it is a check alone, and
-- the join to the set the way to the rows: as a second way into the same index it makes the best plan depend on how many
-- merchants there are, and every execution is planned anew. Citus finds the shard by the bare comparison, so there
-- `kobo shards distribute` leaves out the `coalesce`.
create function is_listed(merchant bigint, merchants bigint[]) returns boolean
  language sql immutable parallel safe as 'select coalesce(merchant = any(merchants), false)';
