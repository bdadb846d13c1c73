import { postNew } from '../../core/ledger/index.ts'
import type { MerchantDirectory } from '../../core/merchants/index.ts'
import { emit } from '../../core/outbox/index.ts'
import type { Sweep } from '../../core/sweep.ts'
import { openWallets } from '../../core/wallets/index.ts'
import { type Clock, secondsAfter } from '../../kernel/clock.ts'
import { invariant } from '../../kernel/errors.ts'
import type { IdSource } from '../../kernel/ids.ts'
import { next } from '../../kernel/machine.ts'
import { type Db, inTransaction, type Tx } from '../../platform/db.ts'
import type { Log } from '../../platform/log.ts'
import type { Rails } from '../../rails/index.ts'
import { TRANSFER_SECONDS_MAX } from '../../rails/transfer.ts'
import { refundEvent } from './events.ts'
import { refundCompleted, refundFailed } from './journals.ts'
import { refundMachine } from './machine.ts'
import { endRefund, leaseRefunds, lockRefund, nextRefundDue, postponeRefund, type RefundRow } from './repository.ts'
import { sendBack, type WayBack } from './way-back.ts'

/** Longer than a rail may take to be asked and to send: when it has passed, whoever was at it is dead and another may. */
export const REFUND_LEASE_SECONDS = 3 * TRANSFER_SECONDS_MAX
/** How long a rail that does not know is left alone, in business time. */
const ASK_AGAIN_SECONDS = 60
const UNDER_WAY_MAX = 64

export interface RefundWorkDeps {
  readonly db: Db
  readonly clock: Clock
  readonly wall: Clock
  readonly ids: IdSource
  readonly directory: MerchantDirectory
  readonly rails: Rails
  readonly log: Log
  readonly pokeDelivery: () => void
}

/** Sends refunds back to customers: rows are leased, handed to the rail with no transaction open, then settled. */
export interface RefundWork {
  /** Sends a refund that was just written down, leased to this process. Nobody waits for it. */
  readonly begin: (refund: RefundRow) => void
  readonly sweeps: readonly Sweep[]
  /** Resolves when nothing is under way in this process. */
  readonly drained: () => Promise<unknown>
}

export function openRefundWork(deps: RefundWorkDeps): RefundWork {
  const { db, wall, log } = deps
  const underWay = new Set<Promise<void>>()

  function begin(refund: RefundRow): Promise<void> {
    const work = sendAndSettle(deps, refund)
      .catch((error) =>
        log.error({ error, refundId: String(refund.id) }, 'a refund was not settled; its rail is asked again'),
      )
      .finally(() => underWay.delete(work))
    underWay.add(work)
    return work
  }

  /** Sends what is due, in sets small enough for each to be under way at once, so that no lease runs out while it waits. */
  async function run(at: Date, limit: number): Promise<number> {
    await Promise.all(underWay) // what has just begun here is part of what is due
    let total = 0
    while (total < limit) {
      const wallAt = wall.now()
      const leasedUntil = secondsAfter(wallAt, REFUND_LEASE_SECONDS)
      const most = Math.min(UNDER_WAY_MAX, limit - total)
      const leased = await leaseRefunds(db, { at, wallAt, leasedUntil, limit: most })
      await Promise.all(leased.map(begin))
      total += leased.length
      if (leased.length < most) break
    }
    return total
  }

  return {
    begin: (refund) => void begin(refund),
    sweeps: [{ name: 'send refunds', run, nextDue: () => nextRefundDue(db, wall.now()) }],
    drained: () => Promise.all(underWay),
  }
}

async function sendAndSettle(deps: RefundWorkDeps, refund: RefundRow): Promise<void> {
  const { db, clock, directory, rails } = deps
  const merchant = await directory.byId(refund.merchantId)
  invariant(merchant !== undefined, 'a refund is a merchant’s')
  const outcome = await sendBack(rails, merchant, refund, () => clock.now())
  if (outcome.kind === 'unknown') {
    await postponeRefund(db, refund, outcome.askAt ?? secondsAfter(clock.now(), ASK_AGAIN_SECONDS))
    return
  }
  await inTransaction(db, (tx) => settle(tx, deps.ids, clock.now(), refund, outcome))
  deps.pokeDelivery()
}

/** Writes down how a refund ended: state, money and event. One that has ended already stays as it is. */
async function settle(
  tx: Tx,
  ids: IdSource,
  at: Date,
  key: RefundRow,
  outcome: Exclude<WayBack, { kind: 'unknown' }>,
): Promise<void> {
  const refund = await lockRefund(tx, key)
  invariant(refund !== undefined, 'a refund stays')
  const status = next(refundMachine, refund.status, outcome.kind === 'arrived' ? 'complete' : 'fail')
  if (status === undefined) return
  if (outcome.kind === 'arrived') {
    const ended = { ...refund, status: 'COMPLETED', comment: 'Refund completed', completedAt: at } as const
    tx.along(endRefund(tx, ended))
    tx.along(emit(tx, ids, at, [refundEvent(ended)]))
    tx.along(postNew(tx, ids, at, [refundCompleted(refund)]))
    return
  }
  const comment = `Refund failed: ${outcome.reason}`
  const ended = { ...refund, status: 'FAILED', comment, completedAt: at } as const
  const { merchantId, walletAccountNumber } = refund
  const wallets = await openWallets(tx, [{ merchantId, accountNumber: walletAccountNumber }])
  const taken = wallets.take({
    journal: refundFailed(refund),
    reference: refund.refundReference,
    transactionReference: refund.reference,
    narration: refund.refundReason,
    message: comment,
  })
  invariant(taken, 'money can always be put into a wallet')
  tx.along(endRefund(tx, ended))
  tx.along(emit(tx, ids, at, [refundEvent(ended)]))
  tx.along(wallets.write(tx, ids, at))
}
