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
import { selectReturned } from '../refunds/index.ts'
import { lockTransactions, type PaymentRow, selectPayments, type TransactionKey } from '../transactions/index.ts'
import { disputeErrors } from './errors.ts'
import { disputeEvent, openedNotice } from './events.ts'
import { disputeOpened } from './journals.ts'
import { type DisputeRow, findTold, insertDispute, selectDisputed } from './repository.ts'

/** A dispute as somebody tells of it. */
export interface ToldDispute {
  readonly partner: string
  readonly partnerReference: string
  readonly kind: DisputeType
  /** The payment; the newest of which something is left, where none is named. */
  readonly paymentId: bigint | undefined
  /** All that is left of it, where it is not said. */
  readonly amount: Kobo | undefined
  readonly reason: string | undefined
  /** Until when it can be contested, where that is said. */
  readonly evidenceDueAt: Date | undefined
}

const DAY_SECONDS = 86_400
const REASON_DEFAULT: Readonly<Record<DisputeType, string>> = {
  CHARGEBACK: 'The card’s holder disputes the payment',
  RECALL: 'The payer’s bank wants the transfer back',
  REVERSAL: 'The payment was undone by the partner',
}

/**
 * Opens a dispute: what is disputed is held at once. The transaction's row is locked, so all that goes back of one payment
 * is decided one after the other. One that was told before is answered as it is, and changes nothing.
 */
export async function openDispute(
  unit: UnitOfWork,
  merchant: Pick<Merchant, 'id' | 'walletAccountNumber'>,
  key: TransactionKey,
  told: ToldDispute,
): Promise<{ readonly dispute: DisputeRow; readonly isNew: boolean }> {
  const { tx } = unit
  // Sent together and carried out in this order: what is asked after the lock sees all that was committed before it.
  const [[transaction], known, payments, returned, disputed] = await Promise.all([
    lockTransactions(tx, [key]),
    findTold(tx, { merchantId: merchant.id, ...told }),
    selectPayments(tx, [key]),
    selectReturned(tx, key),
    selectDisputed(tx, key),
  ])
  invariant(transaction !== undefined, 'a transaction stays')
  if (known !== undefined) return { dispute: checkSame(known, key, told), isNew: false }
  const gone = [...returned, ...disputed]
  const { payment, left } = disputable(payments, gone, told.paymentId)
  const amount = told.amount ?? left
  if (amount > left) throw disputeErrors.aboveAmount(toNairaText(left))
  const dispute = await hold(unit, {
    merchantId: merchant.id,
    id: unit.ids.id(),
    reference: `KDSP${ulid(unit.at)}`,
    partner: told.partner,
    partnerReference: told.partnerReference,
    kind: told.kind,
    status: 'OPEN',
    transactionId: transaction.id,
    transactionReference: transaction.transactionReference,
    paymentId: payment.id,
    method: payment.method,
    clearingPartner: payment.partner,
    amount,
    currencyCode: transaction.currencyCode,
    reason: told.reason ?? REASON_DEFAULT[told.kind],
    walletAccountNumber: merchant.walletAccountNumber,
    fromWallet: ZERO,
    fromReserve: ZERO,
    fromDebt: ZERO,
    repaidDebts: ZERO,
    evidenceDueAt: told.evidenceDueAt ?? secondsAfter(unit.at, EVIDENCE_DAYS[told.kind] * DAY_SECONDS),
    evidence: null,
    evidenceAt: null,
    openedAt: unit.at,
    endedAt: null,
    comment: null,
  })
  return { dispute, isNew: true }
}

/** Told twice it is the same, or somebody is wrong. */
function checkSame(known: DisputeRow, { id }: TransactionKey, { kind, amount, paymentId }: ToldDispute): DisputeRow {
  const isSame =
    known.transactionId === id &&
    known.kind === kind &&
    (amount === undefined || known.amount === amount) &&
    (paymentId === undefined || known.paymentId === paymentId)
  if (!isSame) throw disputeErrors.toldOtherwise(known.partnerReference)
  return known
}

interface Gone {
  readonly paymentId: bigint | null
  readonly amount: Kobo
}

/** The payment that is disputed, and how much of it has neither gone back nor is in dispute. */
export function disputable(
  payments: readonly PaymentRow[],
  gone: readonly Gone[],
  paymentId: bigint | undefined,
): { readonly payment: PaymentRow; readonly left: Kobo } {
  if (payments.length === 0) throw disputeErrors.notDisputable('it has not been paid')
  // What went back before it was written down of which payment counts against all of them.
  const leftInAll = subtract(sum(payments.map(({ amount }) => amount)), sum(gone.map(({ amount }) => amount)))
  const found = payments
    .toReversed()
    .filter(({ id }) => paymentId === undefined || id === paymentId)
    .map((payment) => {
      const taken = sum(gone.filter((one) => one.paymentId === payment.id).map(({ amount }) => amount))
      return { payment, left: smaller(subtract(payment.amount, taken), leftInAll) }
    })
    .find(({ left }) => left > 0n)
  if (found === undefined) throw disputeErrors.notDisputable('all of it has gone back or is in dispute already')
  return found
}

/** Holds what is disputed: of the wallet, then of the reserve, and the rest as a debt. */
async function hold(unit: UnitOfWork, wanted: DisputeRow): Promise<DisputeRow> {
  const { tx } = unit
  const { merchantId, walletAccountNumber: accountNumber, amount } = wanted
  const lots = await lockLots(tx, merchantId)
  const wallets = await openWallets(tx, [{ merchantId, accountNumber }])
  const fromWallet = smaller(amount, wallets.available({ merchantId, accountNumber }) ?? ZERO)
  const fromReserve = takeFromLots(tx, lots, subtract(amount, fromWallet))
  const fromDebt = subtract(subtract(amount, fromWallet), fromReserve)
  const dispute = { ...wanted, fromWallet, fromReserve, fromDebt }
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
  invariant(taken, 'no more is held than the wallet has')
  emit(unit, [disputeEvent(dispute)])
  notify(unit, [openedNotice(dispute)])
  wallets.write(unit)
  return dispute
}
