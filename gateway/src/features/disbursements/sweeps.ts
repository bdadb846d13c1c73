import type { Mailer } from '../../core/mail.ts'
import type { MerchantDirectory } from '../../core/merchants/index.ts'
import type { Sweep } from '../../core/sweep.ts'
import type { IdSource } from '../../kernel/ids.ts'
import { type Db, inTransaction, type Tx } from '../../platform/db.ts'
import { type BatchRow, lockUnauthorized, nextTransferDue, selectBatchesToNotify, setNotified } from './repository.ts'
import type { Transfers } from './send.ts'
import { failed, writeSettlements } from './settle.ts'

interface Deps {
  readonly db: Db
  readonly ids: IdSource
  readonly directory: MerchantDirectory
  readonly mailer: Mailer
  readonly pokeDelivery: () => void
}

/** What falls due of transfers, apart from sending them and asking about them, which has a loop of its own. */
export const disbursementSweeps = (deps: Deps): readonly Sweep[] => [
  {
    name: 'expire transfers',
    run: async (at, limit) => {
      const expired = await inTransaction(deps.db, (tx) => expireTransfers(tx, deps.ids, at, limit))
      if (expired > 0) deps.pokeDelivery()
      return expired
    },
    nextDue: () => nextTransferDue(deps.db),
  },
  { name: 'tell of batches', run: (_, limit) => tellOfBatches(deps, limit) },
]

/** Sending transfers and asking about them, as something that falls due. */
export const transferSending = (db: Db, transfers: Transfers): Sweep => ({
  name: 'send transfers',
  run: () => transfers.workDue(),
  nextDue: () => nextTransferDue(db),
})

/** Ends transfers that nobody authorised in time: their money is available again. Answers how many. */
async function expireTransfers(tx: Tx, ids: IdSource, at: Date, limit: number): Promise<number> {
  const due = await lockUnauthorized(tx, at, limit)
  if (due.length > 0)
    await writeSettlements(
      tx,
      ids,
      at,
      due.map((before) => ({ ...failed(before, 'expire', at), before })),
    )
  return due.length
}

/** Mails merchants how far their batches have come. Answers how many it told of. */
async function tellOfBatches({ db, directory, mailer }: Deps, limit: number): Promise<number> {
  const batches = await selectBatchesToNotify(db, limit)
  for (const batch of batches) {
    const percent = percentDone(batch)
    // Noted first: a notice may be lost with the process, but never comes twice.
    if (!(await inTransaction(db, (tx) => setNotified(tx, batch, percent)))) continue
    const merchant = await directory.byId(batch.merchantId)
    if (merchant !== undefined)
      await mailer.send({ merchantId: merchant.id, to: merchant.email, ...progressMail(batch, percent) })
  }
  return batches.length
}

const percentDone = ({ itemsCount, openCount }: BatchRow): number =>
  Math.floor(((itemsCount - openCount) * 100) / itemsCount)

const progressMail = ({ title, batchReference, itemsCount, openCount }: BatchRow, percent: number) => ({
  subject: `Batch ${batchReference}: ${percent} % processed`,
  text: [
    `${itemsCount - openCount} of the ${itemsCount} transfers of the batch “${title}” have been processed.`,
    '',
    `Reference: ${batchReference}`,
    'Which of them arrived stands in the summary of the batch.',
    '',
  ].join('\n'),
})
