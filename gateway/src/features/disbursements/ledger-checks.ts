import {
  acts,
  type JournalKey,
  type JournalOwner,
  ownedBy,
  type RowCheck,
  ranged,
  within,
} from '../../core/money/ledger/index.ts'
import { forgotten, isOrderOpen, ofOrder, type WithOrder, withOrder } from '../../core/orders/index.ts'
import { firstIdAt, idsIn } from '../../kernel/ids.ts'
import { rowSet, type Tx } from '../../platform/postgres/db.ts'
import { ofMerchants } from '../../platform/postgres/table.ts'
import { heldBatchJournal, heldJournal, releasedJournal, reversedJournal, sentJournal } from './journals.ts'
import { type BatchRow, batches, type TransferRow, transfers } from './repository.ts'

type Transfer = TransferRow & WithOrder

/** The event of each final status. */
const ENDS = {
  SUCCESS: 'SUCCESSFUL_DISBURSEMENT',
  FAILED: 'FAILED_DISBURSEMENT',
  EXPIRED: 'FAILED_DISBURSEMENT',
  REVERSED: 'REVERSED_DISBURSEMENT',
} as const
type EndStatus = keyof typeof ENDS

const hasEnded = (status: TransferRow['status']): status is EndStatus => status in ENDS

const transferCheck = acts<Transfer>({
  name: 'transfer',
  rows: { table: 'transfer', idFormat: 'standard' },
  read: (tx, ranges) =>
    tx<Transfer[]>`
      select ${transfers.of('r')}, ${ofOrder}
        from ${ranged(ranges)}
        join transfer r on ${within('r', ranges)}
        ${withOrder(ranges)}`,
  reference: ({ reference }) => reference,
  state: ({ status }) => status,
  consequences: (transfer) => ({
    ...expectedJournals(transfer),
    events: expectedEvents(transfer),
    wrong: orderProblems(transfer),
  }),
  mayChange: (transfer) => transfer.completedAt === null || isOrderOpen(transfer),
  owned: [{ prefix: 'transfer/', find: findTransfers }],
})

/**
 * Returns the expected journals of a transfer. The money of items is held with their batch. Nothing is held for an item
 * that failed at once.
 */
function expectedJournals(transfer: Transfer) {
  const { status } = transfer
  const wasHeld = transfer.orderState !== null
  const all = [
    { journal: heldJournal(transfer), isBooked: wasHeld && transfer.batchId === null },
    { journal: sentJournal(transfer, transfer.orderPartner), isBooked: status === 'SUCCESS' || status === 'REVERSED' },
    { journal: releasedJournal(transfer), isBooked: wasHeld && (status === 'FAILED' || status === 'EXPIRED') },
    { journal: reversedJournal(transfer, transfer.orderPartner), isBooked: status === 'REVERSED' },
  ]
  return {
    booked: all.flatMap(({ journal, isBooked }) => (isBooked ? journal : [])),
    unbooked: all.flatMap(({ journal, isBooked }) => (isBooked ? [] : journal.key)),
  }
}

/**
 * Returns the expected events. An item that failed at once sent its event a moment later, when its batch was stored. An
 * item with a duplicate reference sends none.
 */
const expectedEvents = ({ status, isDuplicate, reference, completedAt, createdAt, orderState }: Transfer) =>
  hasEnded(status) && !isDuplicate
    ? [{ eventType: ENDS[status], reference, at: completedAt ?? createdAt, atLeast: orderState === null }]
    : []

const orderProblems = (transfer: Transfer): readonly string[] => forgotten(transfer.completedAt === null, transfer)

/** A reference contains the second of its creation. */
const REFERENCE =
  /^transfer\/(KFDS\d{3}(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})\w{12})\/(held|sent|released|reversed)$/
/** A transfer's id and its reference are created at most this far apart. */
const APART_SECONDS = 5

/** Finds transfers by our reference, which has no index, among those made in the same seconds. */
async function findTransfers(tx: Tx, journals: readonly JournalKey[]): Promise<readonly JournalOwner[]> {
  const requested = journals.flatMap(({ merchantId, key }) => {
    const [, reference = '', year, month, day, hour, minute, second] = REFERENCE.exec(key) ?? []
    if (reference === '') return []
    const made = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
    return { merchantId, key, reference, made: String(firstIdAt(made)) }
  })
  return tx<JournalOwner[]>`
    with k as materialized (
      select merchant_id, key, reference, made
        from json_to_recordset(${rowSet(requested)}::text::json) as k (merchant_id bigint, key text, reference text, made bigint)
    ), near as materialized (
      select distinct t.merchant_id, t.id, t.transaction_reference
        from (select distinct merchant_id, made from k) s
        join transfer t on ${ofMerchants('t', requested)} and t.merchant_id = s.merchant_id
         and t.id between s.made - ${idsIn(APART_SECONDS)} and s.made + ${idsIn(APART_SECONDS)})
    select k.merchant_id, k.key, t.id
      from k
      join near t on t.merchant_id = k.merchant_id and t.transaction_reference = k.reference`
}

/** A batch debits its valid items from the wallet as one sum. */
const batchCheck = acts<BatchRow>({
  name: 'batch',
  rows: { table: 'transfer_batch', idFormat: 'standard' },
  read: (tx, ranges) =>
    tx<BatchRow[]>`select ${batches.of('r')} from ${ranged(ranges)} join transfer_batch r on ${within('r', ranges)}`,
  reference: ({ batchReference }) => batchReference,
  state: ({ status }) => status,
  consequences: (batch) =>
    batch.totalAmount === 0n ? { unbooked: [heldBatchJournal(batch).key] } : { booked: [heldBatchJournal(batch)] },
  owned: [{ ...ownedBy('transfer/', 'transfer_batch', 'transaction_batch_reference'), prefix: 'transfer/KFDB' }],
})

export const disbursementChecks: readonly RowCheck[] = [transferCheck, batchCheck]
