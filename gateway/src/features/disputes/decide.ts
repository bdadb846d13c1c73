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

/** How a dispute can end by a word of the partner's. */
export type Outcome = 'WON' | 'LOST'

/**
 * Ends a dispute as the partner says: state, money and event. Said again it changes nothing, nor is one lost that was
 * accepted; what contradicts how it ended is refused.
 */
export async function decideDispute(
  unit: UnitOfWork,
  key: Pick<DisputeRow, 'merchantId' | 'id'>,
  outcome: Outcome,
  comment: string | null,
): Promise<DisputeRow> {
  const dispute = await lockDispute(unit.tx, key)
  invariant(dispute !== undefined, 'a dispute stays')
  const isSaidAgain = dispute.status === outcome || (dispute.status === 'ACCEPTED' && outcome === 'LOST')
  if (isSaidAgain) return dispute
  const ended = moved(dispute, outcome === 'WON' ? 'win' : 'lose')
  if (ended === undefined) throw disputeErrors.decidedOtherwise(dispute.status)
  return end(unit, { ...ended, endedAt: unit.at, comment })
}

/** Ends a dispute for whose money the merchant does not fight. */
export async function giveUp(unit: UnitOfWork, key: Pick<DisputeRow, 'merchantId' | 'id'>): Promise<DisputeRow> {
  const dispute = await lockDispute(unit.tx, key)
  invariant(dispute !== undefined, 'a dispute stays')
  if (dispute.status === 'ACCEPTED') return dispute
  const accepted = moved(dispute, 'accept')
  if (accepted === undefined) throw disputeErrors.notOpen(dispute.status)
  return end(unit, { ...accepted, endedAt: unit.at, comment: null })
}

/** A dispute after a move of its machine; undefined where it has none such. */
export function moved(dispute: DisputeRow, trigger: DisputeTrigger): DisputeRow | undefined {
  const status = next(disputeMachine, dispute.status, trigger)
  return status === undefined ? undefined : { ...dispute, status }
}

/** Writes a dispute that has ended, moves what was held, and tells the merchant. */
async function end(unit: UnitOfWork, ended: DisputeRow): Promise<DisputeRow> {
  const after = ended.status === 'WON' ? await giveBack(unit, ended) : ended
  updateDisputes(unit.tx, [after])
  if (after.status !== 'WON') postNew(unit, [disputeLost(after)])
  emit(unit, [disputeEvent(after)])
  return after
}

/** What was held repays what the merchant owes, the oldest first, and the rest is the wallet's again. */
async function giveBack(unit: UnitOfWork, won: DisputeRow): Promise<DisputeRow> {
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
  invariant(taken, 'money can always be put into a wallet')
  debts.write(unit)
  wallets.write(unit)
  return dispute
}
