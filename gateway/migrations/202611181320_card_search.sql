-- Finds the payments of a card by the last digits of its number. Other payments write nothing to it.
create index payment_of_card on payment (merchant_id, (card ->> 'last4'), id) where card is not null;
