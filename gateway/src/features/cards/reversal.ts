import type { Clock } from '../../kernel/clock.ts'
import { type Db, inTransaction } from '../../platform/db.ts'
import type { Log } from '../../platform/log.ts'
import type { CardRail, CardRefundOutcome, FoundCardRefund } from '../../rails/card.ts'
import { lockTransactions } from '../transactions/index.ts'
import { after } from './outcome.ts'
import { type AttemptRow, selectAttempts, updateAttempts } from './repository.ts'

interface Deps {
  readonly db: Db
  readonly clock: Clock
  readonly log: Log
  readonly rails: { readonly card: CardRail }
}

const refundReference = ({ reference }: AttemptRow): string => `reversal-${reference}`

/** Sends the money of an attempt back to its card, once, and writes down what came of that. */
export async function reverse(deps: Deps, attempt: AttemptRow): Promise<AttemptRow> {
  const { card } = deps.rails
  const reference = refundReference(attempt)
  const found: FoundCardRefund = await card.findRefund(reference)
  const outcome: CardRefundOutcome =
    found.kind === 'not found'
      ? await card.refund({ reference, chargeReference: attempt.reference, amount: attempt.amount })
      : found
  return outcome.kind === 'unknown' ? attempt : settleReversal(deps, attempt, outcome)
}

async function settleReversal(
  { db, clock, log }: Deps,
  attempt: AttemptRow,
  outcome: CardRefundOutcome,
): Promise<AttemptRow> {
  const reversed = await inTransaction(db, async (tx) => {
    const key = { merchantId: attempt.merchantId, id: attempt.transactionId }
    await lockTransactions(tx, [key])
    const present = (await selectAttempts(tx, [key])).find(({ number }) => number === attempt.number)
    if (present?.status !== 'REVERSING') return present ?? attempt // another node was faster
    const trigger = outcome.kind === 'refunded' ? 'refund' : 'refuseRefund'
    const ended = after(present, trigger, { askAt: null, settledAt: clock.now() })
    await updateAttempts(tx, [ended])
    return ended
  })
  if (reversed.status === 'REVERSAL_REFUSED')
    log.error(
      { merchantId: String(attempt.merchantId), attempt: attempt.reference },
      'the network refused to send money back to a card; a person must',
    )
  return reversed
}
