import type { Sweep } from '../../core/sweep.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { inOneStatement, inTransaction } from '../../platform/db.ts'
import { deleteOldValidations, lockDueVends, nextVendDue, updateVends, type VendRow } from './repository.ts'
import { type BillDeps, settleVend } from './service.ts'

/** Waits between questions about a vend; the last one stays. */
const ASK_AFTER_SECONDS = [60, 60, 120, 300, 900, 3_600] as const
/** At most so many questions at once: a biller that does not answer holds up few others. */
const ASKED_AT_ONCE_MAX = 50

type Deps = Pick<BillDeps, 'db' | 'clock' | 'ids' | 'rail' | 'pokeDelivery'>

/** What falls due with bills: asking what became of vends, and forgetting validations. */
export const billSweeps = (deps: Deps): readonly Sweep[] => [
  {
    name: 'ask billers',
    run: (at, limit) => askDue(deps, at, Math.min(limit, ASKED_AT_ONCE_MAX)),
    nextDue: () => nextVendDue(deps.db),
  },
  {
    name: 'forget customer validations',
    run: (at, limit) => inOneStatement(deps.db, (tx) => deleteOldValidations(tx, at, limit)),
  },
]

/** Asks about vends that are due; answers how many. Each is put off before it is asked about, so no two nodes ask at once. */
async function askDue(deps: Deps, at: Date, limit: number): Promise<number> {
  const due = await inTransaction(deps.db, async (tx) => {
    const vends = await lockDueVends(tx, at, limit)
    updateVends(
      tx,
      vends.map((vend) => putOff(vend, at)),
    )
    return vends
  })
  await Promise.all(
    due.map(async (vend) => settleVend(deps, vend, await deps.rail.findVend(vend.transactionReference))),
  )
  return due.length
}

function putOff(vend: VendRow, at: Date): VendRow {
  const seconds = ASK_AFTER_SECONDS[Math.min(vend.asked, ASK_AFTER_SECONDS.length - 1)] ?? 0
  return { ...vend, asked: vend.asked + 1, nextAskAt: secondsAfter(at, seconds) }
}
