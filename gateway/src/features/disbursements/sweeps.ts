import type { Core } from '../../core/core.ts'
import type { Mailer } from '../../core/messages/mail.ts'
import type { Sweep } from '../../core/sweep.ts'
import { unitOfWork } from '../../core/unit-of-work.ts'
import { inTransaction } from '../../platform/postgres/db.ts'
import { expireTransfers } from './conclude.ts'
import { type BatchRow, lockUnauthorized, nextUnauthorized, selectBatchesToNotify, setNotified } from './repository.ts'

interface Deps {
  readonly core: Core
  readonly mailer: Mailer
}

/** Expires unauthorized transfers and emails the progress of batches. Orders send and query transfers. */
export const disbursementSweeps = (deps: Deps): readonly Sweep[] => [
  {
    name: 'expire transfers',
    runShard: (shard, _, limit) =>
      unitOfWork(deps.core, async (unit) => {
        const due = await lockUnauthorized(unit.tx, shard, unit.at, limit)
        if (due.length > 0) await expireTransfers(unit, due)
        return due.length
      }),
    nextDue: () => nextUnauthorized(deps.core.db),
  },
  { name: 'send batch progress', run: (_, limit) => sendBatchProgress(deps, limit) },
]

/** Emails merchants the progress of their batches. Returns how many batches it reported. */
async function sendBatchProgress({ core: { db, directory }, mailer }: Deps, limit: number): Promise<number> {
  const batches = await selectBatchesToNotify(db, limit)
  for (const batch of batches) {
    const percent = percentDone(batch)
    // The progress is recorded first: an email may be lost if the process stops, but it is never sent twice.
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
    'See the batch summary for the status of each transfer.',
    '',
  ].join('\n'),
})
