-- Disputes of payments, and the merchants' debts and reserves that cover them.

-- A dispute: a chargeback, recall or reversal of all or part of a payment. Its money is held from the day of the notification. It
-- goes to the partner if the dispute is lost, and back to the merchant if it is won.
create table dispute (
  merchant_id           bigint      not null,
  id                    bigint      not null,
  -- Our reference for the merchant, and the key of its journals.
  reference             text        not null,
  -- The partner and its name for the dispute; an operator who was notified by mail enters the partner's name for it.
  partner               text        not null,
  partner_reference     text        not null,
  -- CHARGEBACK: by the card's holder. RECALL: a bank wants a transfer back. REVERSAL: the partner has undone the payment.
  kind                  text        not null check (kind in ('CHARGEBACK', 'RECALL', 'REVERSAL')),
  status                text        not null check (status in ('OPEN', 'EVIDENCE_SUBMITTED', 'EXPIRED', 'ACCEPTED', 'WON', 'LOST')),
  transaction_id        bigint      not null,
  transaction_reference text        not null,
  -- The payment, its method, and the partner that holds its money.
  payment_id            bigint      not null,
  method                text        not null,
  clearing_partner      text        not null,
  amount                bigint      not null check (amount > 0),
  currency_code         text        not null,
  reason                text        not null,
  wallet_account_number text        not null,
  -- The sources of the held money; they sum to the amount. The part that neither wallet nor reserve had is a debt.
  from_wallet           bigint      not null check (from_wallet >= 0),
  from_reserve          bigint      not null check (from_reserve >= 0),
  from_debt             bigint      not null check (from_debt >= 0),
  -- If it was won: how much of it repaid debts instead of going to the wallet.
  repaid_debts          bigint      not null default 0 check (repaid_debts >= 0 and repaid_debts <= amount),
  -- Until when the merchant may contest it.
  evidence_due_at       timestamptz not null,
  -- The merchant's statement.
  evidence              text,
  evidence_at           timestamptz,
  opened_at             timestamptz not null,
  ended_at              timestamptz,
  -- Why it ended this way, if known.
  comment               text,
  primary key (merchant_id, id),
  unique (merchant_id, reference),
  -- One row per dispute, however many notifications arrive.
  unique (merchant_id, partner, partner_reference),
  check (from_wallet + from_reserve + from_debt = amount),
  check ((status in ('ACCEPTED', 'WON', 'LOST')) = (ended_at is not null)),
  check (repaid_debts = 0 or status = 'WON'),
  check (status <> 'EVIDENCE_SUBMITTED' or evidence is not null)
);
create index dispute_of_transaction on dispute (merchant_id, transaction_id);
create index dispute_due on dispute (evidence_due_at) where status = 'OPEN';
create index dispute_newest on dispute (id);

-- A file that a merchant sent as evidence, such as a receipt or a letter. Encrypted.
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

-- A merchant's debt to us from a dispute that its wallet could not cover. Later collections repay it before they are settled,
-- oldest debt first.
create table merchant_debt (
  merchant_id bigint      not null,
  -- The dispute's id.
  id          bigint      not null,
  reference   text        not null,
  amount      bigint      not null check (amount > 0),
  repaid      bigint      not null default 0 check (repaid >= 0),
  since       timestamptz not null,
  primary key (merchant_id, id),
  check (repaid <= amount)
);
create index merchant_debt_open on merchant_debt (merchant_id, id) where repaid < amount;

-- A repayment of part of a debt.
create table debt_repayment (
  merchant_id bigint      not null,
  id          bigint      not null,
  debt_id     bigint      not null,
  amount      bigint      not null check (amount > 0),
  -- The key of the journal.
  repaid_by   text        not null,
  at          timestamptz not null,
  primary key (merchant_id, id)
);
create index debt_repayment_of_debt on debt_repayment (merchant_id, debt_id);
create trigger debt_repayment_insert_only before update or delete or truncate on debt_repayment execute function refuse_change();

-- A part of a settlement that is held in reserve for some days, to cover disputes.
create table reserve_lot (
  merchant_id bigint      not null,
  -- The settlement's id.
  id          bigint      not null,
  amount      bigint      not null check (amount > 0),
  -- The part that disputes have taken.
  taken       bigint      not null default 0 check (taken >= 0),
  releases_at timestamptz not null,
  released_at timestamptz,
  -- The part of the released money that repaid debts instead of going to the wallet.
  repaid_debts bigint     not null default 0 check (repaid_debts >= 0),
  primary key (merchant_id, id),
  check (taken + repaid_debts <= amount),
  check (repaid_debts = 0 or released_at is not null)
);
create index reserve_lot_due on reserve_lot (releases_at) where released_at is null;
create index reserve_lot_held on reserve_lot (merchant_id, id) where released_at is null;
