import type { MerchantDirectory } from '../../core/merchants/index.ts'
import type { Sweep } from '../../core/sweep.ts'
import { type Clock, secondsAfter } from '../../kernel/clock.ts'
import { invariant } from '../../kernel/errors.ts'
import type { IdSource } from '../../kernel/ids.ts'
import { type Db, inTransaction } from '../../platform/db.ts'
import type { Log } from '../../platform/log.ts'
import { type Worker, worker } from '../../platform/worker.ts'
import type { Rails } from '../../rails/index.ts'
import { TRANSFER_SECONDS_MAX } from '../../rails/transfer.ts'
import { leaseRefunds, nextRefundDue, postponeRefund, type RefundRow } from './repository.ts'
import { settle } from './settle.ts'
import { sendBack } from './way-back.ts'

/** Longer than a rail may take to be asked and to send: when it has passed, whoever was at it is dead and another may. */
const LEASE_SECONDS = 3 * TRANSFER_SECONDS_MAX
/** How long a rail that does not know is left alone, in business time. */
const ASK_AGAIN_SECONDS = 60
const UNDER_WAY_MAX = 64

interface Deps {
  readonly db: Db
  readonly clock: Clock
  readonly wall: Clock
  readonly ids: IdSource
  readonly directory: MerchantDirectory
  readonly rails: Rails
  readonly log: Log
  readonly pokeDelivery: () => void
}

/** Sends refunds back to customers, and learns what became of them. */
export function openRefundWork(deps: Deps): Worker {
  const { db, clock, wall, log } = deps
  const lease = (limit: number): Promise<readonly RefundRow[]> => {
    const wallAt = wall.now()
    return leaseRefunds(db, { at: clock.now(), wallAt, leasedUntil: secondsAfter(wallAt, LEASE_SECONDS), limit })
  }
  return worker({
    tasks: 'refunds to send',
    log,
    underWayMax: UNDER_WAY_MAX,
    lease,
    carryOut: (refund) => carryOut(deps, refund),
  })
}

/** Sending refunds and asking about them, as something that falls due. */
export const refundSending = (db: Db, wall: Clock, work: Worker): Sweep => ({
  name: 'send refunds',
  run: () => work.workDue(),
  nextDue: () => nextRefundDue(db, wall.now()),
})

async function carryOut({ db, clock, ids, directory, rails, pokeDelivery }: Deps, refund: RefundRow): Promise<void> {
  const merchant = await directory.byId(refund.merchantId)
  invariant(merchant !== undefined, 'a refund is a merchant’s')
  const outcome = await sendBack(rails, merchant, refund, () => clock.now())
  if (outcome.kind === 'unknown') {
    await postponeRefund(db, refund, outcome.askAt ?? secondsAfter(clock.now(), ASK_AGAIN_SECONDS))
    return
  }
  await inTransaction(db, (tx) => settle(tx, ids, clock.now(), refund, outcome))
  pokeDelivery()
}
