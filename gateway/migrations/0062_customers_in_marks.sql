-- Long lists in which a customer is found without reading them.

-- Which customers may be among the rows from the mark before up to this one: a Bloom filter of their e-mail addresses. It is
-- null where nobody has looked yet, or an address has been erased since.
alter table list_mark add column customers bytea;
-- It is as good as random.
alter table list_mark alter column customers set storage external;
