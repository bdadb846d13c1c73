-- Finds the settlement of a payout by the session id on a bank's statement. It is written once a payout has arrived.
create index settlement_payout_session on settlement_payout (merchant_id, session_id) where session_id is not null;
-- Finds failed payouts, which a home page counts and a failure email looks for.
create index settlement_payout_failed on settlement_payout (merchant_id) where status = 'DUE' and failure is not null;
