-- Payments that are taken back: by a card's holder, by a bank that recalls a transfer, or by a partner after settlement.

-- A payment of which somebody wants all or a part back. Its money is held from the day on which it is told, and leaves to
-- the partner when it is lost, or goes back when it is won.
create table dispute (
  merchant_id           bigint      not null,
  id                    bigint      not null,
  -- Ours: the merchant knows it by this, and its journals are keyed by it.
  reference             text        not null,
  -- Who told of it, and what it is called there; an operator who was told by mail gives the partner's word for it.
  partner               text        not null,
  partner_reference     text        not null,
  -- CHARGEBACK: a card's holder disputes it. RECALL: a bank wants a transfer back. REVERSAL: the partner undid it.
  kind                  text        not null check (kind in ('CHARGEBACK', 'RECALL', 'REVERSAL')),
  status                text        not null check (status in ('OPEN', 'EVIDENCE_SUBMITTED', 'EXPIRED', 'ACCEPTED', 'WON', 'LOST')),
  transaction_id        bigint      not null,
  transaction_reference text        not null,
  -- The payment, how it came, and who holds its money.
  payment_id            bigint      not null,
  method                text        not null,
  clearing_partner      text        not null,
  amount                bigint      not null check (amount > 0),
  currency_code         text        not null,
  reason                text        not null,
  wallet_account_number text        not null,
  -- From where it is held: these sum to the amount. What neither had is the merchant's debt.
  from_wallet           bigint      not null check (from_wallet >= 0),
  from_reserve          bigint      not null check (from_reserve >= 0),
  from_debt             bigint      not null check (from_debt >= 0),
  -- Of a dispute that was won: how much of it repaid debts in place of going to the wallet.
  repaid_debts          bigint      not null default 0 check (repaid_debts >= 0 and repaid_debts <= amount),
  -- Until when the merchant may contest it.
  evidence_due_at       timestamptz not null,
  -- What the merchant said against it.
  evidence              text,
  evidence_at           timestamptz,
  opened_at             timestamptz not null,
  ended_at              timestamptz,
  -- Why it ended as it did, where somebody said so.
  comment               text,
  primary key (merchant_id, id),
  unique (merchant_id, reference),
  -- However often it is told.
  unique (merchant_id, partner, partner_reference),
  check (from_wallet + from_reserve + from_debt = amount),
  check ((status in ('ACCEPTED', 'WON', 'LOST')) = (ended_at is not null)),
  check (repaid_debts = 0 or status = 'WON'),
  check (status <> 'EVIDENCE_SUBMITTED' or evidence is not null)
);
create index dispute_of_transaction on dispute (merchant_id, transaction_id);
create index dispute_due on dispute (evidence_due_at) where status = 'OPEN';
create index dispute_newest on dispute (id);
comment on table dispute is 'A payment of which somebody wants all or a part back: a chargeback, a recall, a reversal.';

-- What a merchant sent against a dispute beside its words: receipts, letters. Encrypted.
create table dispute_file (
  merchant_id bigint not null,
  id          bigint not null,
  dispute_id  bigint not null,
  name        text   not null check (length(name) between 1 and 100),
  type        text   not null check (type in ('application/pdf', 'image/png', 'image/jpeg')),
  bytes       integer not null check (bytes > 0),
  content     bytea  not null,
  primary key (merchant_id, id)
);
create index dispute_file_of_dispute on dispute_file (merchant_id, dispute_id);
comment on table dispute_file is 'A file that a merchant sent against a dispute.';

-- What a merchant owes us, since its wallet did not have what was disputed. What is collected later repays it before it is
-- settled, the oldest first.
create table merchant_debt (
  merchant_id bigint      not null,
  -- That of the dispute.
  id          bigint      not null,
  reference   text        not null,
  amount      bigint      not null check (amount > 0),
  repaid      bigint      not null default 0 check (repaid >= 0),
  since       timestamptz not null,
  primary key (merchant_id, id),
  check (repaid <= amount)
);
create index merchant_debt_open on merchant_debt (merchant_id, id) where repaid < amount;
comment on table merchant_debt is 'What a merchant owes us of a dispute, and how much of that is repaid.';

-- Each part of a debt that was repaid, and by what: the key of the journal.
create table debt_repayment (
  merchant_id bigint      not null,
  id          bigint      not null,
  debt_id     bigint      not null,
  amount      bigint      not null check (amount > 0),
  repaid_by   text        not null,
  at          timestamptz not null,
  primary key (merchant_id, id)
);
create index debt_repayment_of_debt on debt_repayment (merchant_id, debt_id);
create trigger debt_repayment_insert_only before update or delete or truncate on debt_repayment execute function refuse_change();
comment on table debt_repayment is 'A part of a merchant''s debt that was repaid, and by which journal.';

-- A part of a settlement that is kept back for some days, against disputes of what was collected.
create table reserve_lot (
  merchant_id bigint      not null,
  -- That of the settlement.
  id          bigint      not null,
  amount      bigint      not null check (amount > 0),
  -- How much of it disputes have taken.
  taken       bigint      not null default 0 check (taken >= 0),
  releases_at timestamptz not null,
  released_at timestamptz,
  -- How much of what was released repaid debts in place of going to the wallet.
  repaid_debts bigint     not null default 0 check (repaid_debts >= 0),
  primary key (merchant_id, id),
  check (taken + repaid_debts <= amount),
  check (repaid_debts = 0 or released_at is not null)
);
create index reserve_lot_due on reserve_lot (releases_at) where released_at is null;
create index reserve_lot_held on reserve_lot (merchant_id, id) where released_at is null;
comment on table reserve_lot is 'A part of a settlement that is kept back for some days, against disputes.';

-- What percentage of its collections is kept back, in basis points, and for how many days; null where none is.
alter table merchant add column reserve_basis_points integer check (reserve_basis_points between 1 and 10000);
alter table merchant add column reserve_days integer check (reserve_days between 1 and 365);

-- How much of what was collected repaid debts, and how much is kept back: the amount is what is left.
alter table settlement add column debt_repaid bigint not null default 0 check (debt_repaid >= 0);
alter table settlement add column reserved bigint not null default 0 check (reserved >= 0);

-- A merchant's debt is below zero, and never above.
alter table account drop constraint account_not_below_zero;
alter table account add constraint account_not_below_zero
  check (case when code = 'debt' then balance <= 0
              else balance >= 0 or code like 'clearing/%' or code like 'costs/%' end) not valid;
