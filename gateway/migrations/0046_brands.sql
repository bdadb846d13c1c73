-- How a merchant's own look comes to the payer's pages.

-- The colour of the pages' head, as #0c3b2a: dark enough for white letters.
alter table merchant add column brand_colour text check (brand_colour ~ '^#[0-9a-f]{6}$');
-- Whom payers ask: an address, a number, as the merchant writes it.
alter table merchant add column support_contact text check (length(support_contact) between 1 and 100);
-- Which of its logos is shown.
alter table merchant add column logo_hash text;

-- A small picture that stands at the head of a merchant's pages, by the hash of its bytes.
create table merchant_logo (
  merchant_id bigint      not null references merchant (id),
  hash        text        not null check (hash ~ '^[0-9a-f]{32}$'),
  -- image/png, image/jpeg or image/webp: nothing that could hold a script.
  type        text        not null check (type in ('image/png', 'image/jpeg', 'image/webp')),
  content     bytea       not null check (octet_length(content) <= 32768),
  created_at  timestamptz not null,
  primary key (merchant_id, hash)
);
comment on table merchant_logo is 'The picture at the head of a merchant''s pages, by the hash of its bytes.';
