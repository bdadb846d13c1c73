import { postNew } from '../../core/ledger/index.ts'
import { emit } from '../../core/outbox/index.ts'
import { openWallets } from '../../core/wallets/index.ts'
import { invariant } from '../../kernel/errors.ts'
import type { IdSource } from '../../kernel/ids.ts'
import { next } from '../../kernel/machine.ts'
import type { Tx } from '../../platform/db.ts'
import { refundEvent } from './events.ts'
import { refundCompleted, refundFailed } from './journals.ts'
import { refundMachine } from './machine.ts'
import { endRefund, lockRefund, type RefundRow } from './repository.ts'
import type { WayBack } from './way-back.ts'

/** Writes down how a refund ended: state, money and event. One that has ended already stays as it is. */
export async function settle(
  tx: Tx,
  ids: IdSource,
  at: Date,
  key: Pick<RefundRow, 'merchantId' | 'id'>,
  outcome: Exclude<WayBack, { kind: 'unknown' }>,
): Promise<void> {
  const refund = await lockRefund(tx, key)
  invariant(refund !== undefined, 'a refund stays')
  if (next(refundMachine, refund.status, outcome.kind === 'arrived' ? 'complete' : 'fail') === undefined) return
  if (outcome.kind === 'arrived') await complete(tx, ids, at, refund)
  else await fail(tx, ids, at, refund, `Refund failed: ${outcome.reason}`)
}

async function complete(tx: Tx, ids: IdSource, at: Date, refund: RefundRow): Promise<void> {
  const ended = { ...refund, status: 'COMPLETED', comment: 'Refund completed', completedAt: at } as const
  endRefund(tx, ended)
  emit({ tx, ids, at, wake: () => {} }, [refundEvent(ended)])
  postNew({ tx, ids, at, wake: () => {} }, [refundCompleted(refund)])
}

async function fail(tx: Tx, ids: IdSource, at: Date, refund: RefundRow, comment: string): Promise<void> {
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
  endRefund(tx, ended)
  emit({ tx, ids, at, wake: () => {} }, [refundEvent(ended)])
  wallets.write({ tx, ids, at, wake: () => {} })
}
