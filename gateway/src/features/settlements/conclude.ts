import { notify } from '../../core/messages/notices.ts'
import { emit } from '../../core/messages/outbox/index.ts'
import { type Journal, postNew } from '../../core/money/ledger/index.ts'
import { nextCycle } from '../../core/money/settlement-cycle/index.ts'
import type { Concluded, Conclusion, OrderResponse, OrderRow } from '../../core/orders/index.ts'
import type { UnitOfWork } from '../../core/unit-of-work.ts'
import { invariant } from '../../kernel/errors.ts'
import { next, type Trigger } from '../../kernel/machine.ts'
import type { FoundTransfer } from '../../rails/transfer.ts'
import { transactionReads } from '../transactions/index.ts'
import { settlementEvent } from './events.ts'
import { payoutJournal, payoutReversedJournal } from './journals.ts'
import { payoutMachine, settlementMachine } from './machine.ts'
import type { PayoutToSend } from './payout-to-send.ts'
import { failedNotice, incomesOf, settlementReports } from './reports.ts'
import {
  countFailedPayouts,
  lockPayouts,
  lockSettlement,
  type PayoutRow,
  type SettlementRow,
  selectItems,
  updatePayouts,
  updateSettlement,
} from './repository.ts'

/** Concludes payouts by the bank's results. A late result changes nothing. */
export async function concludePayouts(
  unit: UnitOfWork,
  responses: readonly OrderResponse<PayoutToSend, FoundTransfer>[],
): Promise<readonly Concluded<PayoutToSend>[]> {
  const locked = await lockPayouts(
    unit.tx,
    responses.map(({ subject }) => subject.payout),
  )
  const payouts = new Map(locked.map((row) => [row.id, row]))
  const concluded: Concluded<PayoutToSend>[] = []
  for (const { order, subject, response, isDecided = false } of responses) {
    const payout = payouts.get(subject.payout.id)
    invariant(payout !== undefined, 'a payout is never deleted')
    const after = outcomeOf(payout, { ...order, isDecided }, response, unit.at, subject.cycle)
    payouts.set(payout.id, after.payout)
    const now = { ...subject, payout: after.payout }
    if (after.payout !== payout) updatePayouts(unit.tx, [after.payout])
    if (after.journal !== undefined) await applyOutcome(unit, now, after.journal)
    if (payout.failure === null && after.payout.failure !== null) await notifyOfFailure(unit, now)
    concluded.push({ subject: now, conclusion: after.conclusion })
  }
  return concluded
}

/** Notifies the merchant of a failed payout, unless another one to the same beneficiary failed and is still due. */
async function notifyOfFailure(unit: UnitOfWork, now: PayoutToSend): Promise<void> {
  if ((await countFailedPayouts(unit.tx, now.payout.merchantId, now.payout)) === 1) notify(unit, [failedNotice(now)])
}

/** Decides what a bank's response means: the payout's new state and journal, and its order's conclusion. */
export function outcomeOf(
  payout: PayoutRow,
  order: Pick<OrderRow, 'reference' | 'partner'> & { readonly isDecided?: boolean },
  response: FoundTransfer,
  at: Date,
  cycle: string,
): { readonly payout: PayoutRow; readonly journal?: Journal; readonly conclusion: Conclusion } {
  const hasArrived = payout.status === 'COMPLETED'
  switch (response.kind) {
    case 'unknown':
      return { payout, conclusion: { kind: 'unknown' } }
    case 'not found':
      return { payout, conclusion: hasArrived ? { kind: 'unknown' } : { kind: 'send again', at } }
    case 'succeeded': {
      const { sessionId, finalAt } = response
      // If the payout may still come back, it is queried once more at `finalAt`.
      const conclusion: Conclusion =
        finalAt !== undefined && (!hasArrived || finalAt > at)
          ? { kind: 'watch', until: finalAt }
          : { kind: 'concluded' }
      if (hasArrived) return { payout, conclusion }
      const arrived = { ...payout, status: moved(payout, 'succeed'), sessionId, failure: null, completedAt: at }
      return { payout: arrived, journal: payoutJournal(arrived, order), conclusion }
    }
    case 'failed':
    case 'reversed': {
      const failure = response.kind === 'failed' ? response.reason : 'The bank returned the payout'
      const conclusion: Conclusion = { kind: 'send again', at: nextCycle(cycle, at) }
      if (!hasArrived) return { payout: { ...payout, failure }, conclusion }
      const back = { ...payout, status: moved(payout, 'reverse'), sessionId: null, failure, completedAt: null }
      return { payout: back, journal: payoutReversedJournal(payout, order), conclusion }
    }
  }
}

function moved(payout: PayoutRow, trigger: Trigger<typeof payoutMachine>): PayoutRow['status'] {
  const status = next(payoutMachine, payout.status, trigger)
  invariant(status !== undefined, `a payout that is ${payout.status} can ${trigger}`)
  return status
}

/** Posts a payout's journal, advances its settlement and sends notifications. */
async function applyOutcome(unit: UnitOfWork, now: PayoutToSend, journal: Journal): Promise<void> {
  const { payout, reportEmails } = now
  if (payout.beneficiaryType === 'MERCHANT') await moveSettlement(unit, payout)
  postNew(unit, [journal])
  // A sub account's share that has arrived is reported by email to its report addresses.
  if (payout.status !== 'COMPLETED' || reportEmails.length === 0) return
  const transactions = await settledTransactions(unit, now.settlement)
  const payments = await transactionReads.payments(unit.tx, transactions)
  notify(unit, settlementReports(now, incomesOf(payout, transactions, payments), unit.at))
}

const settledTransactions = async ({ tx }: UnitOfWork, settlement: SettlementRow) =>
  transactionReads.byKeys(tx, await selectItems(tx, settlement, settlement.transactionsCount, 0))

/** Completes the settlement of the merchant's payout and sends the event; reopens it if the payout came back. */
async function moveSettlement(unit: UnitOfWork, payout: PayoutRow): Promise<void> {
  const isComplete = payout.status === 'COMPLETED'
  const settlement = await lockSettlement(unit.tx, { merchantId: payout.merchantId, id: payout.settlementId })
  const status =
    settlement === undefined
      ? undefined
      : next(settlementMachine, settlement.status, isComplete ? 'complete' : 'reverse')
  invariant(settlement !== undefined && status !== undefined, 'a settlement follows its payout')
  const after: SettlementRow = {
    ...settlement,
    status,
    completedAt: isComplete ? unit.at : null,
    destinationBankCode: payout.bankCode,
    destinationAccountNumber: payout.accountNumber,
    destinationAccountName: payout.accountName,
  }
  updateSettlement(unit.tx, after)
  if (!isComplete) return
  const transactions = await settledTransactions(unit, after)
  const paymentsOf = Map.groupBy(
    await transactionReads.payments(unit.tx, transactions),
    ({ transactionId }) => transactionId,
  )
  const records = transactions
    .map((transaction) => ({ transaction, payments: paymentsOf.get(transaction.id) ?? [] }))
    .toSorted((a, b) => (a.transaction.id < b.transaction.id ? -1 : 1))
  emit(unit, [settlementEvent(after, records)])
}
