import type { Merchant } from '../../core/merchants/index.ts'
import { emit } from '../../core/messages/outbox/index.ts'
import { insufficientBalance, openWallets, walletBalances } from '../../core/money/wallet-balances/index.ts'
import { type Orders, placeOrders } from '../../core/orders/index.ts'
import { type UnitOfWork, unitOfWork } from '../../core/unit-of-work.ts'
import { Refusal } from '../../kernel/errors.ts'
import { sum, ZERO } from '../../kernel/money.ts'
import type { Db } from '../../platform/db.ts'
import type { Lane } from '../../platform/lanes.ts'
import { insertRequests } from './approval-repository.ts'
import { requestFor } from './approval-request.ts'
import { authorize, mailCode, wholeBatch } from './authorize.ts'
import { disbursementErrors } from './errors.ts'
import { failedEvent } from './events.ts'
import { heldBatchJournal } from './journals.ts'
import { transferOrder } from './orders.ts'
import { newCode } from './otp.ts'
import { type Gate, gateOf, type Maker } from './policy.ts'
import {
  type AuthorizationRow,
  type BatchRow,
  findBatch,
  insertAuthorizations,
  insertBatch,
  insertItems,
  insertTransfers,
  type TransferRow,
  tallyItems,
  updateBatches,
} from './repository.ts'
import { accountRefusal, beginTransfer, CURRENCY_CODE, type TransferDeps, type TransferFacts } from './service.ts'
import type { Tally } from './show.ts'

/** What a merchant asks for when it sends money to many. */
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

/** A batch that is refused or accepted as it stands. */
export interface BatchDraft {
  readonly wanted: NewBatch
  readonly batch: BatchRow
  readonly items: readonly TransferRow[]
  /** Set where a code is to authorise it. */
  readonly authorization: AuthorizationRow | undefined
  readonly maker: Maker
  readonly gate: Gate
}

export type AcceptBatchLane = Lane<BatchDraft, BatchRow>

export interface BatchDeps extends TransferDeps {
  readonly acceptBatch: AcceptBatchLane
  readonly batchTransfersMax: number
}

/** Sends money to many bank accounts: at once, or once it is authorised by a code or approved by people. */
export async function initiateBatch(
  deps: BatchDeps,
  merchant: Merchant,
  wanted: NewBatch,
  maker?: Maker,
): Promise<BatchRow> {
  const { core, codeKey, acceptBatch, batchTransfersMax } = deps
  if (wanted.items.length > batchTransfersMax) throw disbursementErrors.tooManyItems(batchTransfersMax)
  const at = core.clock.now()
  const gate = gateOf(merchant, maker, sum(wanted.items.map(({ amount }) => amount)))
  const drafted = draftBatch(deps, merchant, wanted, gate, at)
  const waits = { authorization: undefined, maker, gate }
  if (gate.kind !== 'code') return acceptBatch({ ...drafted, ...waits })
  const { code, authorization } = newCode(codeKey, drafted.batch, at)
  const accepted = await acceptBatch({ ...drafted, ...waits, authorization })
  return wholeBatch.isAwaiting(accepted) ? (await mailCode(deps, wholeBatch, merchant, accepted, code)).row : accepted
}

function draftBatch(
  { core: { ids } }: TransferDeps,
  merchant: Merchant,
  wanted: NewBatch,
  gate: Gate,
  at: Date,
): Pick<BatchDraft, 'wanted' | 'batch' | 'items'> {
  const batch: BatchRow = {
    merchantId: merchant.id,
    id: ids.id(),
    transactionBatchReference: ids.disbursementReference('KFDB'),
    batchReference: wanted.batchReference,
    title: wanted.title,
    narration: wanted.narration,
    sourceAccountNumber: wanted.sourceAccountNumber,
    status: gate.kind === 'none' ? 'AWAITING_PROCESSING' : 'PENDING_AUTHORIZATION',
    totalAmount: ZERO,
    totalFee: ZERO,
    itemsCount: wanted.items.length,
    openCount: 0,
    notificationInterval: wanted.notificationInterval,
    notifiedPercent: 0,
    createdAt: at,
  }
  const { sourceAccountNumber } = batch
  const seen = new Set<string>()
  const items = wanted.items.map((item, index) => {
    const draft = beginTransfer(ids, merchant, { ...item, sourceAccountNumber, batchId: batch.id }, gate, at)
    const refused = whyBad(item)
    if (refused !== undefined && wanted.onValidationFailure === 'BREAK')
      throw disbursementErrors.badItem(index, refused)
    const isRepeated = seen.has(item.reference)
    seen.add(item.reference)
    const failing = refused === undefined ? draft : failedItem(draft, refused, at)
    return isRepeated ? duplicate(failing, wanted, index, at) : failing
  })
  return { wanted, batch, items }
}

/** What is wrong with an item, apart from its reference, which only the database knows. */
function whyBad({ currencyCode, destination }: NewItem): Refusal | undefined {
  if (currencyCode !== CURRENCY_CODE) return disbursementErrors.unknownCurrency()
  return accountRefusal(destination)
}

/** An item that is refused: nothing is taken for it. */
const failedItem = (item: TransferRow, { message }: Refusal, at: Date): TransferRow => ({
  ...item,
  status: 'FAILED',
  fee: ZERO,
  failureReason: message,
  completedAt: at,
  authorizeBy: null,
})

/** An item whose reference is another's: it fails, unless that refuses the whole batch. */
function duplicate(item: TransferRow, { onValidationFailure }: NewBatch, index: number, at: Date): TransferRow {
  const refused = disbursementErrors.referenceExists('reference')
  if (onValidationFailure === 'BREAK') throw disbursementErrors.badItem(index, refused)
  return { ...failedItem(item, refused, at), isDuplicate: true }
}

/** So many rows go into one statement, so that none is too large to be made or read at once. */
const ROWS_MAX = 1_000

/** Accepts a batch with its money, or refuses it whole. */
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
      // Only now, with all items written: a wallet is not kept from others for as long as that takes.
      const wallets = await openWallets(tx, [wallet])
      if (good.length > 0 && !wallets.take(heldAct(accepted))) throw insufficientBalance()
      updateBatches(tx, [accepted])
      if (draft.authorization !== undefined && good.length > 0) insertAuthorizations(tx, [draft.authorization])
      if (draft.gate.kind === 'approval' && good.length > 0)
        insertRequests(tx, [requestFor(batch, 'BATCH', good, draft.maker, draft.gate.needed)])
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

/** Writes all items of a batch. Those whose reference turns out to be taken are written as what they are. */
async function insertAll(
  orders: Orders,
  unit: UnitOfWork,
  { wanted, items, gate }: BatchDraft,
): Promise<readonly TransferRow[]> {
  const { tx, at } = unit
  const sentBy = gate.kind === 'none' ? 'worker' : 'nobody yet'
  const written: TransferRow[] = []
  for (let start = 0; start < items.length; start += ROWS_MAX) {
    const rows = items.slice(start, start + ROWS_MAX)
    const inserted = await insertItems(
      tx,
      rows.filter(({ isDuplicate }) => !isDuplicate),
    )
    const decided = rows.map((row, index) =>
      row.isDuplicate || inserted.has(row.id) ? row : duplicate(row, wanted, start + index, at),
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

/** Authorises a batch with its code. */
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

/** A batch and what has become of its items so far. */
export async function summarizeBatch(
  db: Db,
  merchantId: bigint,
  batchReference: string,
): Promise<{ readonly batch: BatchRow; readonly tally: Tally }> {
  const batch = await getBatch(db, merchantId, batchReference)
  return { batch, tally: await tallyItems(db, batch) }
}
