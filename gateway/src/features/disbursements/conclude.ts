import { emit, type OutgoingEvent } from '../../core/messages/outbox/index.ts'
import type { Journal } from '../../core/money/ledger/index.ts'
import { openWallets, type WalletAct } from '../../core/money/wallet-balances/index.ts'
import { type Concluded, type Conclusion, type OrderResponse, withdraw } from '../../core/orders/index.ts'
import type { UnitOfWork } from '../../core/unit-of-work.ts'
import { invariant } from '../../kernel/errors.ts'
import { next } from '../../kernel/machine.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import type { FoundTransfer } from '../../rails/transfer.ts'
import { failedEvent, reversedEvent, successEvent } from './events.ts'
import { releasedJournal, reversedJournal, sentJournal } from './journals.ts'
import { type BatchTrigger, batchMachine, type TransferTrigger, transferMachine } from './machine.ts'
import {
  type BatchRow,
  lockBatches,
  lockTransfers,
  type TransferRow,
  updateBatches,
  updatePending,
  updateTransfers,
} from './repository.ts'
import { describe } from './show.ts'

/** The rail's result for a transfer, with the account name if it was looked up before sending. */
export type TransferResponse = FoundTransfer & { readonly destinationAccountName?: string }

/** The effect of a rail's result on a transfer. All writes follow from it. */
export interface Outcome {
  readonly transfer: TransferRow
  /** The effect on its order. */
  readonly conclusion: Conclusion
  /** Set if money moves. */
  readonly journal?: Journal
  readonly event?: OutgoingEvent
}

const CONCLUDED: Conclusion = { kind: 'concluded' }
const UNKNOWN: Conclusion = { kind: 'unknown' }

/** When a result arrived and from which partner. */
interface Received {
  readonly at: Date
  readonly partner: string | null
}

export function outcomeOf(transfer: TransferRow, found: FoundTransfer, received: Received): Outcome {
  if (transfer.status === 'PENDING') return outcomeOfPending(transfer, found, received)
  if (transfer.status === 'SUCCESS') return outcomeOfSuccess(transfer, found, received)
  return { transfer, conclusion: CONCLUDED } // it was concluded elsewhere meanwhile
}

function outcomeOfPending(transfer: TransferRow, found: FoundTransfer, received: Received): Outcome {
  const { at } = received
  switch (found.kind) {
    case 'succeeded':
      return succeeded(transfer, found.sessionId, found.finalAt, received)
    case 'reversed': // success and return in one response: record the success now; the next query records the return
      return succeeded(transfer, found.sessionId, at, received)
    case 'failed':
      return failed({ ...transfer, failureReason: found.reason }, 'fail', at)
    case 'unknown':
      return { transfer, conclusion: UNKNOWN }
    case 'not found': // the partner never received it, and never executes it under this reference
      return { transfer, conclusion: { kind: 'send again', at } }
  }
}

function succeeded(transfer: TransferRow, sessionId: string, finalAt: Date | undefined, received: Received): Outcome {
  const done = { ...ended(transfer, 'succeed', received.at), sessionId }
  const journal = sentJournal(done, received.partner)
  return { transfer: done, conclusion: watchUntil(finalAt), journal, event: successEvent(done) }
}

const watchUntil = (finalAt: Date | undefined): Conclusion =>
  finalAt === undefined ? CONCLUDED : { kind: 'watch', until: finalAt }

function outcomeOfSuccess(transfer: TransferRow, found: FoundTransfer, { at, partner }: Received): Outcome {
  switch (found.kind) {
    case 'succeeded': {
      const { finalAt } = found
      return { transfer, conclusion: watchUntil(finalAt !== undefined && finalAt > at ? finalAt : undefined) }
    }
    case 'reversed':
    case 'failed': {
      const done = ended(transfer, 'reverse', at)
      const journal = reversedJournal(done, partner)
      return { transfer: done, conclusion: CONCLUDED, journal, event: reversedEvent(done) }
    }
    case 'unknown':
    case 'not found':
      return { transfer, conclusion: UNKNOWN }
  }
}

/** Ends a transfer whose money was not paid out, and releases the money. */
function failed(transfer: TransferRow, trigger: 'fail' | 'expire' | 'reject', at: Date): Outcome {
  const done = ended(transfer, trigger, at)
  return { transfer: done, conclusion: CONCLUDED, journal: releasedJournal(done), event: failedEvent(done) }
}

function ended(transfer: TransferRow, trigger: TransferTrigger, at: Date): TransferRow {
  const status = next(transferMachine, transfer.status, trigger)
  invariant(status !== undefined, `a transfer that is ${transfer.status} can ${trigger}`)
  return { ...transfer, status, completedAt: at, authorizeBy: null }
}

type TransferOrderResponse = OrderResponse<TransferRow, TransferResponse>

/** Whether a transfer can be concluded without reading it again: the update checks that it is still pending. */
export const isPending = ({ subject }: TransferOrderResponse): boolean => subject.status === 'PENDING'

/** Concludes a batch of transfers with the rail's results. Those that are unchanged need no lock. */
export async function concludeTransfers(
  unit: UnitOfWork,
  responses: readonly TransferOrderResponse[],
  unchanged: ReadonlySet<TransferOrderResponse>,
): Promise<readonly Concluded<TransferRow>[]> {
  const others = responses.filter((response) => !unchanged.has(response)).map(({ subject }) => subject)
  const locked = await lockTransfers(unit.tx, others)
  const known = [...unchanged].map(({ subject }) => subject)
  const transfers = new Map([...known, ...locked].map((row) => [row.id, row]))
  const changes: Change[] = []
  for (const { order, subject, response } of responses) {
    const before = transfers.get(subject.id)
    invariant(before !== undefined, 'a sent transfer exists')
    const { destinationAccountName = before.destinationAccountName } = response
    const named =
      destinationAccountName === before.destinationAccountName ? before : { ...before, destinationAccountName }
    const outcome = outcomeOf(named, response, { at: unit.at, partner: order.partner })
    transfers.set(subject.id, outcome.transfer)
    changes.push({ ...outcome, before })
  }
  await writeOutcomes(unit, changes, new Set(known.map(({ id }) => id)))
  return changes.map(({ before, conclusion }) => ({ subject: transfers.get(before.id) as TransferRow, conclusion }))
}

/** Expires transfers that were not authorized in time and releases their money. The transfers are locked. */
export async function expireTransfers(unit: UnitOfWork, due: readonly TransferRow[]): Promise<void> {
  withdraw(unit, due)
  await writeOutcomes(
    unit,
    due.map((before) => ({ ...failed(before, 'expire', unit.at), before })),
  )
}

/** Fails transfers that an approver has rejected and releases their money. The transfers are locked. */
export async function rejectTransfers(
  unit: UnitOfWork,
  rejected: readonly TransferRow[],
  failureReason: string,
): Promise<void> {
  withdraw(unit, rejected)
  await writeOutcomes(
    unit,
    rejected.map((before) => ({ ...failed({ ...before, failureReason }, 'reject', unit.at), before })),
  )
}

interface Change extends Outcome {
  readonly before: TransferRow
}

/**
 * Writes transfers, their batches, journals and events. Locks batches, then wallets, then the other accounts. The
 * transfers are locked, except for those marked as unlocked.
 */
async function writeOutcomes(
  unit: UnitOfWork,
  changes: readonly Change[],
  unlocked: ReadonlySet<bigint> = new Set(),
): Promise<void> {
  const { tx } = unit
  const batches = await moveBatches(tx, changes)
  const acts = changes.flatMap(({ transfer, journal }) => (journal === undefined ? [] : actOf(transfer, journal)))
  const wallets = await openWallets(tx, creditedWallets(changes))
  for (const act of acts) invariant(wallets.take(act), 'a wallet can always be credited')
  // If a transfer was concluded twice in one run, the last result wins.
  const last = new Map(changes.filter(hasChanged).map(({ transfer }) => [transfer.id, transfer])).values()
  const { pending = [], others = [] } = Object.groupBy(last, ({ id }) => (unlocked.has(id) ? 'pending' : 'others'))
  updatePending(tx, pending)
  updateTransfers(tx, others)
  updateBatches(tx, batches)
  emit(
    unit,
    changes.flatMap(({ event }) => event ?? []),
  )
  unit.last(() => wallets.write(unit))
}

const hasChanged = ({ transfer, before }: Change): boolean => transfer !== before

/** Returns the wallets to credit and lock. A successful transfer does not change its wallet's available balance. */
const creditedWallets = (changes: readonly Change[]) =>
  changes.flatMap(({ transfer, journal }) =>
    journal === undefined || transfer.status === 'SUCCESS'
      ? []
      : { merchantId: transfer.merchantId, accountNumber: transfer.sourceAccountNumber },
  )

/** Returns the effect of a completed transfer on its wallet. */
export const actOf = (transfer: TransferRow, journal: Journal): WalletAct => ({
  journal,
  reference: transfer.reference,
  transactionReference: transfer.transactionReference,
  narration: transfer.narration,
  message: transfer.failureReason === null ? describe(transfer) : `Transfer failed: ${transfer.failureReason}`,
  counterparty:
    transfer.status === 'REVERSED'
      ? {
          accountName: transfer.destinationAccountName,
          accountNumber: transfer.destinationAccountNumber,
          bankCode: transfer.destinationBankCode,
        }
      : null,
})

/** Counts completed items and advances their batches. */
async function moveBatches(tx: Tx, changes: readonly Change[]): Promise<readonly BatchRow[]> {
  const items = changes.filter(({ transfer, before }) => transfer.batchId !== null && before.completedAt === null)
  if (items.length === 0) return []
  const byBatch = Map.groupBy(items, ({ transfer }) => transfer.batchId)
  const keys = [...byBatch].flatMap(([id, [first]]) =>
    id === null || first === undefined ? [] : { merchantId: first.transfer.merchantId, id },
  )
  return (await lockBatches(tx, keys)).map((batch) => {
    const group = byBatch.get(batch.id) ?? []
    const openCount = batch.openCount - group.filter(({ transfer }) => transfer.completedAt !== null).length
    const trigger = batchTrigger(batch, openCount, group[0]?.transfer.status)
    const status = next(batchMachine, batch.status, trigger)
    invariant(status !== undefined, `a batch that is ${batch.status} can ${trigger}`)
    return { ...batch, status, openCount }
  })
}

/** Returns the trigger for a batch whose items changed. Before authorization, all items change together. */
function batchTrigger({ status }: BatchRow, openCount: number, item: TransferRow['status'] | undefined): BatchTrigger {
  if (status === 'PENDING_AUTHORIZATION') return item === 'FAILED' ? 'reject' : 'expire'
  if (status === 'EXPIRED') return 'expire'
  if (status === 'FAILED') return 'reject'
  return openCount === 0 ? 'complete' : 'begin'
}
