import type { Journal } from '../../core/ledger/index.ts'
import { emit, type OutgoingEvent } from '../../core/outbox/index.ts'
import { openWallets, type WalletAct } from '../../core/wallets/index.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { invariant } from '../../kernel/errors.ts'
import type { IdSource } from '../../kernel/ids.ts'
import { next } from '../../kernel/machine.ts'
import type { Tx } from '../../platform/db.ts'
import type { FoundTransfer } from '../../rails/transfer.ts'
import { failedEvent, reversedEvent, successEvent } from './events.ts'
import { releasedJournal, reversedJournal, sentJournal } from './journals.ts'
import { type BatchTrigger, batchMachine, type TransferTrigger, transferMachine } from './machine.ts'
import {
  type BatchRow,
  lockBatches,
  lockTransfers,
  type TransferKey,
  type TransferRow,
  updateBatches,
  updatePending,
  updateTransfers,
} from './repository.ts'
import { describe } from './show.ts'

/** An outcome that nobody knows yet is asked about again after so long. */
export const ASK_AGAIN_SECONDS = 60

/** What becomes of a transfer by what the rail says of it. Pure: all that is written follows from this. */
export interface Settlement {
  readonly transfer: TransferRow
  /** Set where money moves. */
  readonly journal?: Journal
  readonly event?: OutgoingEvent
}

/** What the rail says of a transfer, and the name of the account where it was asked for on the way. */
export interface Outcome {
  /** As whoever sent it, or asked about it, has it. */
  readonly transfer: TransferRow
  readonly found: FoundTransfer
  readonly destinationAccountName?: string | undefined
}

export function settle(transfer: TransferRow, found: FoundTransfer, at: Date): Settlement {
  if (transfer.status === 'PENDING') return settlePending(transfer, found, at)
  if (transfer.status === 'SUCCESS') return settleSuccess(transfer, found, at)
  return { transfer } // someone else has learnt its end meanwhile
}

function settlePending(transfer: TransferRow, found: FoundTransfer, at: Date): Settlement {
  switch (found.kind) {
    case 'succeeded': {
      const { sessionId, finalAt = null } = found
      return succeeded(transfer, sessionId, finalAt, at)
    }
    case 'reversed': // it had arrived before it came back: first the one, then, asked once more, the other
      return succeeded(transfer, found.sessionId, at, at)
    case 'failed':
      return failed({ ...transfer, failureReason: found.reason }, 'fail', at)
    case 'unknown':
    case 'not found':
      return askAgain(transfer, at)
  }
}

function succeeded(transfer: TransferRow, sessionId: string, dueAt: Date | null, at: Date): Settlement {
  const done = { ...ended(transfer, 'succeed', at), sessionId, dueAt }
  return { transfer: done, journal: sentJournal(done), event: successEvent(done) }
}

function settleSuccess(transfer: TransferRow, found: FoundTransfer, at: Date): Settlement {
  switch (found.kind) {
    case 'succeeded': {
      const { finalAt } = found
      return {
        transfer: { ...transfer, leasedUntil: null, dueAt: finalAt !== undefined && finalAt > at ? finalAt : null },
      }
    }
    case 'reversed':
    case 'failed': {
      const back = ended(transfer, 'reverse', at)
      return { transfer: back, journal: reversedJournal(back), event: reversedEvent(back) }
    }
    case 'unknown':
    case 'not found':
      return askAgain(transfer, at)
  }
}

/** A transfer whose money comes back because it never left us. */
export function failed(transfer: TransferRow, trigger: 'fail' | 'expire', at: Date): Settlement {
  const over = ended(transfer, trigger, at)
  return { transfer: over, journal: releasedJournal(over), event: failedEvent(over) }
}

const askAgain = (transfer: TransferRow, at: Date): Settlement => ({
  transfer: { ...transfer, leasedUntil: null, dueAt: secondsAfter(at, ASK_AGAIN_SECONDS) },
})

function ended(transfer: TransferRow, trigger: TransferTrigger, at: Date): TransferRow {
  const status = next(transferMachine, transfer.status, trigger)
  invariant(status !== undefined, `a transfer that is ${transfer.status} can ${trigger}`)
  return { ...transfer, status, completedAt: at, dueAt: null, leasedUntil: null }
}

/** Whether a transfer need not be read again: one that is pending is for its holder to settle, and proves it when written. */
export const isPending = ({ transfer }: Outcome): boolean => transfer.status === 'PENDING'

/**
 * Settles a set of transfers by what the rail says of each, in one database transaction. Answers them as they are then.
 * Those that are trusted are taken as they are told; where one is no longer pending, all fails as outdated.
 */
export async function settleOutcomes(
  tx: Tx,
  ids: IdSource,
  at: Date,
  outcomes: readonly Outcome[],
  trusted: ReadonlySet<Outcome>,
): Promise<readonly TransferRow[]> {
  const others = outcomes.filter((outcome) => !trusted.has(outcome)).map(({ transfer }) => transfer)
  const locked = others.length === 0 ? [] : await lockTransfers(tx, others.toSorted(byId))
  const known = [...trusted].map(({ transfer }) => transfer)
  const transfers = new Map([...known, ...locked].map((row) => [row.id, row]))
  const settlements: Change[] = []
  for (const { transfer, found, destinationAccountName } of outcomes) {
    const before = transfers.get(transfer.id)
    invariant(before !== undefined, 'a transfer that was sent is there')
    const named = destinationAccountName === undefined ? before : { ...before, destinationAccountName }
    const settlement = settle(named, found, at)
    transfers.set(transfer.id, settlement.transfer)
    settlements.push({ ...settlement, before })
  }
  await writeSettlements(tx, ids, at, settlements, new Set(known.map(({ id }) => id)))
  return outcomes.map(({ transfer }) => transfers.get(transfer.id) as TransferRow)
}

const byId = (a: TransferKey, b: TransferKey): number => (a.id < b.id ? -1 : 1)

interface Change extends Settlement {
  readonly before: TransferRow
}

/**
 * Writes transfers, their batches, money and events. Locks batches, then wallets, then the other accounts. The transfers
 * are locked, but for those that are said not to be.
 */
export async function writeSettlements(
  tx: Tx,
  ids: IdSource,
  at: Date,
  changes: readonly Change[],
  unlocked: ReadonlySet<bigint> = new Set(),
): Promise<void> {
  const batches = await moveBatches(tx, changes)
  const acts = changes.flatMap(({ transfer, journal }) => (journal === undefined ? [] : actOf(transfer, journal)))
  const wallets = await openWallets(tx, refilled(changes))
  for (const act of acts) invariant(wallets.take(act), 'money that comes back fits into any wallet')
  // Where one transfer was settled twice in a set, the last word counts.
  const last = new Map(changes.filter(hasChanged).map(({ transfer }) => [transfer.id, transfer])).values()
  const { pending = [], others = [] } = Object.groupBy(last, ({ id }) => (unlocked.has(id) ? 'pending' : 'others'))
  updatePending(tx, pending)
  updateTransfers(tx, others)
  updateBatches(tx, batches)
  emit(
    { tx, ids, at, wake: () => {} },
    changes.flatMap(({ event }) => event ?? []),
  )
  wallets.write({ tx, ids, at, wake: () => {} })
}

const hasChanged = ({ transfer, before }: Change): boolean => transfer !== before

/** The wallets that get money back. What arrived changes nothing that is available, so its wallet need not be locked. */
const refilled = (changes: readonly Change[]) =>
  changes.flatMap(({ transfer, journal }) =>
    journal === undefined || transfer.status === 'SUCCESS'
      ? []
      : { merchantId: transfer.merchantId, accountNumber: transfer.sourceAccountNumber },
  )

const actOf = (transfer: TransferRow, journal: Journal): WalletAct => ({
  journal,
  reference: transfer.reference,
  transactionReference: transfer.transactionReference,
  narration: transfer.narration,
  message: describe(transfer),
  counterparty:
    transfer.status === 'REVERSED'
      ? {
          accountName: transfer.destinationAccountName,
          accountNumber: transfer.destinationAccountNumber,
          bankCode: transfer.destinationBankCode,
        }
      : null,
})

/** Counts the items that came to their end, and moves their batches on. */
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
    const trigger = batchTrigger(batch, openCount)
    const status = next(batchMachine, batch.status, trigger)
    invariant(status !== undefined, `a batch that is ${batch.status} can ${trigger}`)
    return { ...batch, status, openCount }
  })
}

/** What an item's change does to its batch: before it is authorised, items only expire. */
function batchTrigger({ status }: BatchRow, openCount: number): BatchTrigger {
  if (status === 'PENDING_AUTHORIZATION' || status === 'EXPIRED') return 'expire'
  return openCount === 0 ? 'complete' : 'begin'
}
