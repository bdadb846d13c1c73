-- What holds up those who try out cards and codes, and what card holders agreed to.

-- Whether the card may be put on file, and by whose word: none; merchant, whose server charged it; on-file, where it is
-- there already; or the version of the text to which the payer agreed on the checkout, when the attempt was opened.
-- Unasked are those of before anybody was asked.
alter table card_attempt add column consent text not null default 'unasked'
  check (consent in ('none', 'merchant', 'on-file', 'unasked') or consent ~ '^checkout-\d+$');

-- How often cards were declined within a span of time, by what they have in common: an address, a card, a BIN at a
-- merchant, a merchant. Whoever tries out cards goes from merchant to merchant, so these are nobody's rows. Addresses and
-- cards stand here as keyed hashes.
create table card_decline_count (
  key         text        not null,
  -- Business time: when counting starts again.
  window_ends timestamptz not null,
  declines    integer     not null check (declines > 0),
  -- Until then no card is charged for it.
  blocked     boolean     not null default false,
  primary key (key, window_ends)
);
create index card_decline_count_over on card_decline_count (window_ends);

-- Wrong codes of a merchant for transfers, over all its transfers. One row for each merchant that ever sent one.
create table transfer_code_guard (
  merchant_id  bigint      primary key,
  wrong        integer     not null check (wrong >= 0),
  -- Business time: the first of them.
  counted_from timestamptz not null,
  -- Until then no code authorises anything.
  locked_until timestamptz
);
