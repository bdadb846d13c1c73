-- What a wrong OTP is told by, once the right one was given.

-- The OTP that was tried last, as a keyed hash that is bound to the attempt.
alter table card_attempt add column otp_hash text;
