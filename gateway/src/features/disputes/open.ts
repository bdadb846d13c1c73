import { type DisputeType, EVIDENCE_DAYS } from '@kobo/contract'
import type { Merchant } from '../../core/merchants/index.ts'
import { notify } from '../../core/messages/notices.ts'
import { emit } from '../../core/messages/outbox/index.ts'
import { insertDebt } from '../../core/money/debts.ts'
import { lockLots, takeFromLots } from '../../core/money/reserve/index.ts'
import { openWallets } from '../../core/money/wallet-balances/index.ts'
import type { UnitOfWork } from '../../core/unit-of-work.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { invariant } from '../../kernel/errors.ts'
import { ulid } from '../../kernel/ids.ts'
import { type Kobo, smaller, subtract, sum, toNairaText, ZERO } from '../../kernel/money.ts'
import { selectRefunded } from '../refunds/index.ts'
import { type Payment, type TransactionKey, transactionReads } from '../transactions/index.ts'
import { disputeErrors } from './errors.ts'
import { disputeEvent, openedNotice } from './events.ts'
import { disputeOpened } from './journals.ts'
import { claimReference, type DisputeRow, findByPartnerReference, insertDispute, selectDisputed } from './repository.ts'

export interface ReportedDispute {
  readonly partner: string
  readonly partnerReference: string
  readonly kind: DisputeType
  /** The payment; by default the newest with a disputable amount. */
  readonly paymentId: bigint | undefined
  /** By default the whole disputable amount. */
  readonly amount: Kobo | undefined
  readonly reason: string | undefined
  /** The deadline for evidence, if stated. */
  readonly evidenceDueAt: Date | undefined
}

const DAY_SECONDS = 86_400
const REASON_DEFAULT: Readonly<Record<DisputeType, string>> = {
  CHARGEBACK: 'The cardholder disputes the payment',
  RECALL: 'The payer’s bank recalls the transfer',
  REVERSAL: 'The partner reversed the payment',
}

/**
 * Opens a dispute and holds its amount at once. The transaction's row is locked, so that its refunds and disputes are
 * decided in sequence. A repeated report returns the dispute unchanged.
 */
export async function openDispute(
  unit: UnitOfWork,
  merchant: Pick<Merchant, 'id' | 'walletAccountNumber'>,
  key: TransactionKey,
  reported: ReportedDispute,
): Promise<{ readonly dispute: DisputeRow; readonly isNew: boolean }> {
  const { tx } = unit
  // Pipelined queries run in order: those after the lock see everything committed before it.
  const [[transaction], holder, known, payments, returned, disputed] = await Promise.all([
    transactionReads.lock(tx, [key]),
    claimReference(tx, { merchantId: merchant.id, ...reported }),
    findByPartnerReference(tx, { merchantId: merchant.id, ...reported }),
    transactionReads.payments(tx, [key]),
    selectRefunded(tx, key),
    selectDisputed(tx, key),
  ])
  invariant(transaction !== undefined, 'a transaction is never deleted')
  if (known !== undefined) return { dispute: checkSame(known, key, reported), isNew: false }
  if (holder !== merchant.id) throw disputeErrors.reportedDifferently(reported.partnerReference)
  const returnedAmounts = [...returned, ...disputed]
  const { payment, remaining } = disputable(payments, returnedAmounts, reported.paymentId)
  const amount = reported.amount ?? remaining
  if (amount > remaining) throw disputeErrors.aboveAmount(toNairaText(remaining))
  const dispute = await hold(unit, {
    merchantId: merchant.id,
    id: unit.ids.id(),
    reference: `KDSP${ulid(unit.at)}`,
    partner: reported.partner,
    partnerReference: reported.partnerReference,
    kind: reported.kind,
    status: 'OPEN',
    transactionId: transaction.id,
    transactionReference: transaction.transactionReference,
    paymentId: payment.id,
    method: payment.method,
    clearingPartner: payment.partner,
    amount,
    currencyCode: transaction.currencyCode,
    reason: reported.reason ?? REASON_DEFAULT[reported.kind],
    walletAccountNumber: merchant.walletAccountNumber,
    fromWallet: ZERO,
    fromReserve: ZERO,
    fromDebt: ZERO,
    repaidDebts: ZERO,
    evidenceDueAt: reported.evidenceDueAt ?? secondsAfter(unit.at, EVIDENCE_DAYS[reported.kind] * DAY_SECONDS),
    evidence: null,
    evidenceAt: null,
    openedAt: unit.at,
    endedAt: null,
    comment: null,
  })
  return { dispute, isNew: true }
}

/** Rejects a repeated report that differs from the first. */
function checkSame(
  known: DisputeRow,
  { id }: TransactionKey,
  { kind, amount, paymentId }: ReportedDispute,
): DisputeRow {
  const isSame =
    known.transactionId === id &&
    known.kind === kind &&
    (amount === undefined || known.amount === amount) &&
    (paymentId === undefined || known.paymentId === paymentId)
  if (!isSame) throw disputeErrors.reportedDifferently(known.partnerReference)
  return known
}

interface ReturnedAmount {
  readonly paymentId: bigint | null
  readonly amount: Kobo
}

/** Finds the disputed payment, and the amount of it that is neither refunded nor disputed. */
export function disputable(
  payments: readonly Payment[],
  returnedAmounts: readonly ReturnedAmount[],
  paymentId: bigint | undefined,
): { readonly payment: Payment; readonly remaining: Kobo } {
  if (payments.length === 0) throw disputeErrors.notDisputable('it has not been paid')
  // Old refunds without a payment count against all payments.
  const remainingTotal = subtract(
    sum(payments.map(({ amount }) => amount)),
    sum(returnedAmounts.map(({ amount }) => amount)),
  )
  const found = payments
    .toReversed()
    .filter(({ id }) => paymentId === undefined || id === paymentId)
    .map((payment) => {
      const returned = sum(returnedAmounts.filter((one) => one.paymentId === payment.id).map(({ amount }) => amount))
      return { payment, remaining: smaller(subtract(payment.amount, returned), remainingTotal) }
    })
    .find(({ remaining }) => remaining > 0n)
  if (found === undefined) throw disputeErrors.notDisputable('the full amount was already refunded or disputed')
  return found
}

/** Holds the disputed amount: from the wallet, then from the reserve, and the rest as a debt. */
async function hold(unit: UnitOfWork, draft: DisputeRow): Promise<DisputeRow> {
  const { tx } = unit
  const { merchantId, walletAccountNumber: accountNumber, amount } = draft
  const lots = await lockLots(tx, merchantId)
  const wallets = await openWallets(tx, [{ merchantId, accountNumber }])
  const fromWallet = smaller(amount, wallets.available({ merchantId, accountNumber }) ?? ZERO)
  const fromReserve = takeFromLots(tx, lots, subtract(amount, fromWallet))
  const fromDebt = subtract(subtract(amount, fromWallet), fromReserve)
  const dispute = { ...draft, fromWallet, fromReserve, fromDebt }
  insertDispute(tx, dispute)
  if (fromDebt > 0n)
    insertDebt(tx, {
      merchantId,
      id: dispute.id,
      reference: dispute.reference,
      amount: fromDebt,
      repaid: ZERO,
      since: unit.at,
    })
  const taken = wallets.take({
    journal: disputeOpened(dispute),
    reference: dispute.reference,
    transactionReference: dispute.transactionReference,
    narration: dispute.reason,
    message: `Dispute of ${dispute.transactionReference}`,
  })
  invariant(taken, 'a hold never exceeds the wallet’s balance')
  emit(unit, [disputeEvent(dispute)])
  notify(unit, [openedNotice(dispute)])
  wallets.write(unit)
  return dispute
}
