import type { Merchant } from '../../core/merchants/index.ts'
import { emit } from '../../core/messages/outbox/index.ts'
import { insufficientBalance, openWallets, walletBalances } from '../../core/money/wallet-balances/index.ts'
import { type Orders, placeOrders } from '../../core/orders/index.ts'
import { type UnitOfWork, unitOfWork } from '../../core/unit-of-work.ts'
import { Refusal } from '../../kernel/errors.ts'
import { type Kobo, sum, ZERO } from '../../kernel/money.ts'
import type { Lane } from '../../platform/lanes/lane.ts'
import type { Db } from '../../platform/postgres/db.ts'
import { type Gate, gateOf, insertRequests, type Maker, requestFor } from '../approvals/index.ts'
import { authorize, mailCode, wholeBatch } from './authorize.ts'
import { disbursementErrors } from './errors.ts'
import { failedEvent } from './events.ts'
import { heldBatchJournal } from './journals.ts'
import { transferOrder } from './orders.ts'
import { newCode } from './otp.ts'
import { factsOf } from './payouts.ts'
import {
  type AuthorizationRow,
  type BatchRow,
  findBatch,
  type ItemSum,
  insertAuthorizations,
  insertBatch,
  insertItems,
  insertTransfers,
  type TransferRow,
  tallyItems,
  updateBatches,
} from './repository.ts'
import { accountRefusal, beginTransfer, CURRENCY_CODE, type TransferDeps, type TransferFacts } from './service.ts'
import { sumsOf } from './show.ts'

/** A merchant's request for a batch of transfers. */
export interface NewBatch {
  readonly title: string
  readonly batchReference: string
  readonly narration: string
  readonly sourceAccountNumber: string
  readonly onValidationFailure: 'CONTINUE' | 'BREAK'
  readonly notificationInterval: number | null
  readonly items: readonly NewItem[]
}

export type NewItem = Omit<TransferFacts, 'sourceAccountNumber' | 'batchId'>

/** A batch before it is accepted or rejected. */
export interface BatchDraft {
  readonly requested: NewBatch
  readonly batch: BatchRow
  readonly items: readonly TransferRow[]
  /** Set if the batch needs an OTP. */
  readonly authorization: AuthorizationRow | undefined
  readonly maker: Maker
  readonly gate: Gate
}

export type AcceptBatchLane = Lane<BatchDraft, BatchRow>

export interface BatchDeps extends TransferDeps {
  readonly acceptBatch: AcceptBatchLane
  readonly batchTransfersMax: number
}

/** Sends money to many bank accounts: at once, or after an OTP or an approval. */
export async function initiateBatch(
  deps: BatchDeps,
  merchant: Merchant,
  requested: NewBatch,
  maker?: Maker,
): Promise<BatchRow> {
  const { core, codeKey, acceptBatch, batchTransfersMax } = deps
  if (requested.items.length > batchTransfersMax) throw disbursementErrors.tooManyItems(batchTransfersMax)
  const at = core.clock.now()
  const gate = gateOf(merchant, maker, sum(requested.items.map(({ amount }) => amount)))
  const drafted = draftBatch(deps, merchant, requested, gate, at)
  const waits = { authorization: undefined, maker, gate }
  if (gate.kind !== 'code') return acceptBatch({ ...drafted, ...waits })
  const { code, authorization } = newCode(codeKey, drafted.batch, at)
  const accepted = await acceptBatch({ ...drafted, ...waits, authorization })
  return wholeBatch.isAwaiting(accepted) ? (await mailCode(deps, wholeBatch, merchant, accepted, code)).row : accepted
}

function draftBatch(
  { core: { ids } }: TransferDeps,
  merchant: Merchant,
  requested: NewBatch,
  gate: Gate,
  at: Date,
): Pick<BatchDraft, 'requested' | 'batch' | 'items'> {
  const batch: BatchRow = {
    merchantId: merchant.id,
    id: ids.id(),
    transactionBatchReference: ids.disbursementReference('KFDB'),
    batchReference: requested.batchReference,
    title: requested.title,
    narration: requested.narration,
    sourceAccountNumber: requested.sourceAccountNumber,
    status: gate.kind === 'none' ? 'AWAITING_PROCESSING' : 'PENDING_AUTHORIZATION',
    totalAmount: ZERO,
    totalFee: ZERO,
    itemsCount: requested.items.length,
    openCount: 0,
    notificationInterval: requested.notificationInterval,
    notifiedPercent: 0,
    createdAt: at,
  }
  const { sourceAccountNumber } = batch
  const seen = new Set<string>()
  const items = requested.items.map((item, index) => {
    const draft = beginTransfer(ids, merchant, { ...item, sourceAccountNumber, batchId: batch.id }, gate, at)
    const error = itemError(item)
    if (error !== undefined && requested.onValidationFailure === 'BREAK') throw disbursementErrors.badItem(index, error)
    const isRepeated = seen.has(item.reference)
    seen.add(item.reference)
    const failing = error === undefined ? draft : failedItem(draft, error, at)
    return isRepeated ? duplicate(failing, requested, index, at) : failing
  })
  return { requested, batch, items }
}

/** Validates an item, except for its reference, which only the database can check. */
function itemError({ currencyCode, destination }: NewItem): Refusal | undefined {
  if (currencyCode !== CURRENCY_CODE) return disbursementErrors.unknownCurrency()
  return accountRefusal(destination)
}

/** Returns a rejected item, for which nothing is debited. */
const failedItem = (item: TransferRow, { message }: Refusal, at: Date): TransferRow => ({
  ...item,
  status: 'FAILED',
  fee: ZERO,
  failureReason: message,
  completedAt: at,
  authorizeBy: null,
})

/** Fails an item with a reference that is already in use, or rejects the whole batch. */
function duplicate(item: TransferRow, { onValidationFailure }: NewBatch, index: number, at: Date): TransferRow {
  const error = disbursementErrors.referenceExists('reference')
  if (onValidationFailure === 'BREAK') throw disbursementErrors.badItem(index, error)
  return { ...failedItem(item, error, at), isDuplicate: true }
}

const ROWS_PER_QUERY = 1_000

/** Accepts a batch and debits the wallet, or rejects the whole batch. */
export async function acceptBatch(
  { core, orders }: Pick<TransferDeps, 'core' | 'orders'>,
  draft: BatchDraft,
): Promise<BatchRow | Refusal> {
  const { batch } = draft
  const wallet = { merchantId: batch.merchantId, accountNumber: batch.sourceAccountNumber }
  if ((await walletBalances(core.db, wallet)) === undefined) return disbursementErrors.unknownWallet()
  try {
    return await unitOfWork(core, async (unit) => {
      const { tx } = unit
      if (!(await insertBatch(tx, batch))) throw disbursementErrors.referenceExists('batchReference')
      const items = await insertAll(orders, unit, draft)
      const good = items.filter(({ status }) => status !== 'FAILED')
      const accepted: BatchRow = {
        ...batch,
        status: good.length === 0 ? 'COMPLETED' : batch.status,
        totalAmount: sum(good.map(({ amount }) => amount)),
        totalFee: sum(good.map(({ fee }) => fee)),
        openCount: good.length,
      }
      // The wallet is locked only after all items are inserted, so that it is locked for a short time.
      const wallets = await openWallets(tx, [wallet])
      if (good.length > 0 && !wallets.take(heldAct(accepted))) throw insufficientBalance()
      updateBatches(tx, [accepted])
      if (draft.authorization !== undefined && good.length > 0) insertAuthorizations(tx, [draft.authorization])
      if (draft.gate.kind === 'approval' && good.length > 0)
        insertRequests(tx, [requestFor(batch, 'BATCH', factsOf(good), draft.maker, draft.gate.needed)])
      const bad = items.filter(({ status, isDuplicate }) => status === 'FAILED' && !isDuplicate)
      emit(unit, bad.map(failedEvent))
      wallets.write(unit)
      return accepted
    })
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

/** Inserts all items of a batch. Those whose reference is already in use are inserted as duplicates. */
async function insertAll(
  orders: Orders,
  unit: UnitOfWork,
  { requested, items, gate }: BatchDraft,
): Promise<readonly TransferRow[]> {
  const { tx, at } = unit
  const sentBy = gate.kind === 'none' ? 'worker' : 'held'
  const written: TransferRow[] = []
  for (let start = 0; start < items.length; start += ROWS_PER_QUERY) {
    const rows = items.slice(start, start + ROWS_PER_QUERY)
    const inserted = await insertItems(
      tx,
      rows.filter(({ isDuplicate }) => !isDuplicate),
    )
    const decided = rows.map((row, index) =>
      row.isDuplicate || inserted.has(row.id) ? row : duplicate(row, requested, start + index, at),
    )
    insertTransfers(
      tx,
      decided.filter(({ isDuplicate }) => isDuplicate),
    )
    const good = decided.filter(({ status }) => status !== 'FAILED')
    placeOrders(
      unit,
      good.map((row) => transferOrder(orders, row, sentBy)),
    )
    written.push(...decided)
  }
  return written
}

const heldAct = (batch: BatchRow) => ({
  journal: heldBatchJournal(batch),
  reference: batch.batchReference,
  transactionReference: batch.transactionBatchReference,
  narration: batch.narration,
  message: `Batch of ${batch.openCount} transfers`,
})

export async function authorizeBatch(
  deps: TransferDeps,
  merchantId: bigint,
  reference: string,
  code: string,
): Promise<BatchRow> {
  const { row } = await authorize(deps, wholeBatch, merchantId, reference, code)
  return row
}

export async function getBatch(db: Db, merchantId: bigint, batchReference: string): Promise<BatchRow> {
  const batch = await findBatch(db, merchantId, batchReference)
  if (batch === undefined) throw disbursementErrors.unknownBatch()
  return batch
}

/** Reads a batch with the progress of its items. */
export async function summarizeBatch(
  db: Db,
  merchantId: bigint,
  batchReference: string,
): Promise<{ readonly batch: BatchRow; readonly tally: readonly ItemSum[] }> {
  const batch = await getBatch(db, merchantId, batchReference)
  return { batch, tally: await tallyItems(db, merchantId, [batch.id]) }
}

/** Count and amount of failed items, including reversed ones. */
export interface FailedItems {
  readonly count: number
  readonly amount: Kobo
}

/** Sums the failed items of a merchant's batches, by batch. */
export async function findFailedItems(
  db: Db,
  merchantId: bigint,
  batches: readonly BatchRow[],
): Promise<ReadonlyMap<bigint, FailedItems>> {
  // The items of a batch are not read if all are still open, because none has failed.
  const begun = batches.filter(({ openCount, itemsCount }) => openCount < itemsCount).map(({ id }) => id)
  const tally = begun.length === 0 ? [] : await tallyItems(db, merchantId, begun)
  return new Map([...Map.groupBy(tally, ({ batchId }) => batchId)].map(([id, sums]) => [id, sumsOf(sums).failed]))
}
