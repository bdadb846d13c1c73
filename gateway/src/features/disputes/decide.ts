import { emit } from '../../core/messages/outbox/index.ts'
import { openDebts } from '../../core/money/debts.ts'
import { postNew } from '../../core/money/ledger/index.ts'
import { openWallets } from '../../core/money/wallet-balances/index.ts'
import type { UnitOfWork } from '../../core/unit-of-work.ts'
import { invariant } from '../../kernel/errors.ts'
import { next } from '../../kernel/machine.ts'
import { disputeErrors } from './errors.ts'
import { disputeEvent } from './events.ts'
import { disputeKey, disputeLost, disputeWon } from './journals.ts'
import { type DisputeTrigger, disputeMachine } from './machine.ts'
import { type DisputeRow, lockDispute, updateDisputes } from './repository.ts'

/** The outcomes that a partner can report. */
export type Outcome = 'WON' | 'LOST'

/**
 * Ends a dispute with the partner's outcome: status, journal and event. A repeated report changes nothing, and neither
 * does the reported loss of an accepted dispute. A report that contradicts an earlier outcome is rejected.
 */
export async function decideDispute(
  unit: UnitOfWork,
  key: Pick<DisputeRow, 'merchantId' | 'id'>,
  outcome: Outcome,
  comment: string | null,
): Promise<DisputeRow> {
  const dispute = await lockDispute(unit.tx, key)
  invariant(dispute !== undefined, 'a dispute is never deleted')
  const isRepeat = dispute.status === outcome || (dispute.status === 'ACCEPTED' && outcome === 'LOST')
  if (isRepeat) return dispute
  const ended = moved(dispute, outcome === 'WON' ? 'win' : 'lose')
  if (ended === undefined) throw disputeErrors.decidedDifferently(dispute.status)
  return end(unit, { ...ended, endedAt: unit.at, comment })
}

export async function endAccepted(unit: UnitOfWork, key: Pick<DisputeRow, 'merchantId' | 'id'>): Promise<DisputeRow> {
  const dispute = await lockDispute(unit.tx, key)
  invariant(dispute !== undefined, 'a dispute is never deleted')
  if (dispute.status === 'ACCEPTED') return dispute
  const accepted = moved(dispute, 'accept')
  if (accepted === undefined) throw disputeErrors.notOpen(dispute.status)
  return end(unit, { ...accepted, endedAt: unit.at, comment: null })
}

/** Returns a dispute after a status change, or undefined if its status does not allow the change. */
export function moved(dispute: DisputeRow, trigger: DisputeTrigger): DisputeRow | undefined {
  const status = next(disputeMachine, dispute.status, trigger)
  return status === undefined ? undefined : { ...dispute, status }
}

/** Stores an ended dispute, moves the held money and notifies the merchant. */
async function end(unit: UnitOfWork, ended: DisputeRow): Promise<DisputeRow> {
  const after = ended.status === 'WON' ? await releaseHeld(unit, ended) : ended
  updateDisputes(unit.tx, [after])
  if (after.status !== 'WON') postNew(unit, [disputeLost(after)])
  emit(unit, [disputeEvent(after)])
  return after
}

/** Repays the merchant's debts with the held money, oldest first, and returns the rest to the wallet. */
async function releaseHeld(unit: UnitOfWork, won: DisputeRow): Promise<DisputeRow> {
  const { merchantId, walletAccountNumber: accountNumber } = won
  const debts = await openDebts(unit.tx, [won])
  const wallets = await openWallets(unit.tx, [{ merchantId, accountNumber }])
  const dispute = { ...won, repaidDebts: debts.repay(merchantId, won.amount, disputeKey(won, 'won')) }
  const taken = wallets.take({
    journal: disputeWon(dispute),
    reference: dispute.reference,
    transactionReference: dispute.transactionReference,
    narration: dispute.reason,
    message: `Dispute of ${dispute.transactionReference} won`,
  })
  invariant(taken, 'a wallet can always be credited')
  debts.write(unit)
  wallets.write(unit)
  return dispute
}
