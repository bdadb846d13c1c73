-- What a wrong OTP is told by, once the right one was given; and events that wait stand apart from those that are sent.

-- The OTP that was tried last, as a keyed hash that is bound to the attempt.
alter table card_attempt add column otp_hash text;

-- An event that is PENDING stands in line to be sent. One that waits for its next attempt (WAITING), or for its receiver to
-- take events again (PAUSED), is out of the line, so that looking for what is to be sent costs nothing for it.
alter table event drop constraint event_status_check;
alter table event add constraint event_status_check
  check (status in ('PENDING', 'WAITING', 'PAUSED', 'DELIVERED', 'GIVEN_UP', 'NOT_SENT')) not valid;
create index event_waiting on event (next_attempt_at) where status = 'WAITING';
create index event_paused on event (merchant_id, kind) where status = 'PAUSED';

-- Whether events may be PAUSED for it: where it takes events, they are put back in line.
alter table webhook_endpoint add column resumes boolean not null default true;
create index webhook_endpoint_resumes on webhook_endpoint (merchant_id, kind) where resumes and paused_at is null;
