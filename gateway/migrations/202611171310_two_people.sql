-- Actions with which one team member could move money out alone wait for a second one.

alter table approval_request
  drop constraint approval_request_kind_check,
  add constraint approval_request_kind_check check (kind in ('TRANSFER', 'BATCH', 'REFUND', 'PAYCODE', 'BILL', 'ACTION'));

-- An action that a team member requested. Once another has approved it, the same request succeeds once.
create table sensitive_action (
  merchant_id  bigint      not null references merchant,
  id           bigint      not null,
  made_by      bigint      not null references person,
  -- The action and its fields, as the approver reads them.
  action       text        not null,
  details      text        not null,
  -- Of the whole request.
  request_hash text        not null,
  status       text        not null check (status in ('PENDING_AUTHORIZATION', 'APPROVED', 'REJECTED', 'USED')),
  created_at   timestamptz not null,
  approved_at  timestamptz check ((approved_at is not null) = (status in ('APPROVED', 'USED'))),
  primary key (merchant_id, id)
);
create index sensitive_action_of_user on sensitive_action (merchant_id, made_by, request_hash);
create trigger sensitive_action_stays before delete or truncate on sensitive_action execute function refuse_removal();
