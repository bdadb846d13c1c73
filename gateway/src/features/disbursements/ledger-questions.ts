import {
  acts,
  type JournalKey,
  type JournalOwner,
  ownedBy,
  type RowQuestion,
  ranged,
  within,
} from '../../core/money/ledger/index.ts'
import { forgotten, isOrderOpen, ofOrder, type WithOrder, withOrder } from '../../core/orders/index.ts'
import { firstIdAt, idsIn } from '../../kernel/ids.ts'
import { rowSet, type Tx } from '../../platform/db.ts'
import { ofMerchants } from '../../platform/table.ts'
import { heldBatchJournal, heldJournal, releasedJournal, reversedJournal, sentJournal } from './journals.ts'
import { type BatchRow, batches, type TransferRow, transfers } from './repository.ts'

type Transfer = TransferRow & WithOrder

/** Which events tell of the end of a transfer. */
const ENDS = {
  SUCCESS: 'SUCCESSFUL_DISBURSEMENT',
  FAILED: 'FAILED_DISBURSEMENT',
  EXPIRED: 'FAILED_DISBURSEMENT',
  REVERSED: 'REVERSED_DISBURSEMENT',
} as const
type EndStatus = keyof typeof ENDS

const hasEnded = (status: TransferRow['status']): status is EndStatus => status in ENDS

const transferQuestion = acts<Transfer>({
  name: 'transfer',
  rows: { table: 'transfer', idsAre: 'moments' },
  read: (tx, ranges) =>
    tx<Transfer[]>`
      select ${transfers.of('r')}, ${ofOrder}
        from ${ranged(ranges)}
        join transfer r on ${within('r', ranges)}
        ${withOrder(ranges)}`,
  reference: ({ reference }) => reference,
  standing: ({ status }) => status,
  consequences: (transfer) => ({ ...books(transfer), told: tellings(transfer), wrong: waits(transfer) }),
  mayChange: (transfer) => transfer.completedAt === null || isOrderOpen(transfer),
  owned: [{ prefix: 'transfer/', find: findTransfers }],
})

/** What a transfer does to the books. An item of a batch was held with it; one that failed at once was never held. */
function books(transfer: Transfer) {
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

/** One that failed at once was told when its batch was written, a moment later; of a reference used twice nothing is told. */
const tellings = ({ status, isDuplicate, reference, completedAt, createdAt, orderState }: Transfer) =>
  hasEnded(status) && !isDuplicate
    ? [{ eventType: ENDS[status], reference, at: completedAt ?? createdAt, atLeast: orderState === null }]
    : []

const waits = (transfer: Transfer): readonly string[] => forgotten(transfer.completedAt === null, transfer)

/** The second in which a reference was made stands in it. */
const REFERENCE =
  /^transfer\/(KFDS\d{3}(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})\w{12})\/(held|sent|released|reversed)$/
/** The id of a transfer is of the same moment as its reference, or nearly so. */
const APART_SECONDS = 5

/** Finds transfers by their own references, for which there is no index: among those made in the same seconds. */
async function findTransfers(tx: Tx, journals: readonly JournalKey[]): Promise<readonly JournalOwner[]> {
  const wanted = journals.flatMap(({ merchantId, key }) => {
    const [, reference = '', year, month, day, hour, minute, second] = REFERENCE.exec(key) ?? []
    if (reference === '') return []
    const made = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
    return { merchantId, key, reference, made: String(firstIdAt(made)) }
  })
  return tx<JournalOwner[]>`
    with k as materialized (
      select merchant_id, key, reference, made
        from json_to_recordset(${rowSet(wanted)}::text::json) as k (merchant_id bigint, key text, reference text, made bigint)
    ), near as materialized (
      select distinct t.merchant_id, t.id, t.transaction_reference
        from (select distinct merchant_id, made from k) s
        join transfer t on ${ofMerchants('t', wanted)} and t.merchant_id = s.merchant_id
         and t.id between s.made - ${idsIn(APART_SECONDS)} and s.made + ${idsIn(APART_SECONDS)})
    select k.merchant_id, k.key, t.id
      from k
      join near t on t.merchant_id = k.merchant_id and t.transaction_reference = k.reference`
}

/** A batch takes the money of its good items from the wallet as one sum. */
const batchQuestion = acts<BatchRow>({
  name: 'batch',
  rows: { table: 'transfer_batch', idsAre: 'moments' },
  read: (tx, ranges) =>
    tx<BatchRow[]>`select ${batches.of('r')} from ${ranged(ranges)} join transfer_batch r on ${within('r', ranges)}`,
  reference: ({ batchReference }) => batchReference,
  standing: ({ status }) => status,
  consequences: (batch) =>
    batch.totalAmount === 0n ? { unbooked: [heldBatchJournal(batch).key] } : { booked: [heldBatchJournal(batch)] },
  owned: [{ ...ownedBy('transfer/', 'transfer_batch', 'transaction_batch_reference'), prefix: 'transfer/KFDB' }],
})

/** What must hold of transfers in the books. */
export const disbursementQuestions: readonly RowQuestion[] = [transferQuestion, batchQuestion]
