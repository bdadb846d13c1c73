import { emit } from '../../core/messages/outbox/index.ts'
import { type Journal, postNew } from '../../core/money/ledger/index.ts'
import { openWallets } from '../../core/money/wallet-balances/index.ts'
import type { Answered, Concluded, Conclusion } from '../../core/orders/index.ts'
import type { UnitOfWork } from '../../core/unit-of-work.ts'
import { invariant } from '../../kernel/errors.ts'
import { next } from '../../kernel/machine.ts'
import { refundEvent } from './events.ts'
import { refundCompleted, refundFailed } from './journals.ts'
import { refundMachine } from './machine.ts'
import { endRefunds, lockRefunds, type RefundRow } from './repository.ts'

/** What became of a refund on its way back to the customer. */
export type RefundAnswer =
  /** With the time until which it may still come back, where there is one. */
  | { readonly kind: 'arrived'; readonly finalAt?: Date }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly unanswered?: boolean }
  | { readonly kind: 'not found' }

type EndedRefund = RefundRow & { readonly status: 'COMPLETED' | 'FAILED' }

/** A refund after an answer, and what becomes of its order. Pure: all that is written follows from this. */
export function outcomeOf(
  refund: RefundRow,
  said: RefundAnswer,
  at: Date,
): { readonly conclusion: Conclusion; readonly ended?: EndedRefund } {
  if (next(refundMachine, refund.status, 'complete') === undefined) return { conclusion: { kind: 'concluded' } }
  switch (said.kind) {
    case 'arrived':
      // What just went through may still come back: it counts once the rail, asked at that time, says that it stayed.
      if (said.finalAt !== undefined && said.finalAt > at) return { conclusion: { kind: 'ask', at: said.finalAt } }
      return {
        conclusion: { kind: 'concluded' },
        ended: { ...refund, status: 'COMPLETED', comment: 'Refund completed', completedAt: at },
      }
    case 'failed':
      return {
        conclusion: { kind: 'concluded' },
        ended: { ...refund, status: 'FAILED', comment: `Refund failed: ${said.reason}`, completedAt: at },
      }
    case 'unknown':
      return { conclusion: { kind: 'unknown' } }
    case 'not found':
      return { conclusion: { kind: 'send again', at } }
  }
}

/** Concludes a set of refunds: state, money and events. One that has ended already stays as it is. */
export async function concludeRefunds(
  unit: UnitOfWork,
  answers: readonly Answered<RefundRow, RefundAnswer>[],
): Promise<readonly Concluded<RefundRow>[]> {
  const locked = await lockRefunds(
    unit.tx,
    answers.map(({ subject }) => subject),
  )
  const refunds = new Map(locked.map((row) => [row.id, row]))
  const all: EndedRefund[] = []
  const concluded = answers.map(({ subject, said }) => {
    const refund = refunds.get(subject.id)
    invariant(refund !== undefined, 'a refund stays')
    const { conclusion, ended } = outcomeOf(refund, said, unit.at)
    if (ended !== undefined) {
      refunds.set(ended.id, ended)
      all.push(ended)
    }
    return { subject: ended ?? refund, conclusion }
  })
  await writeEnded(unit, all)
  return concluded
}

async function writeEnded(unit: UnitOfWork, ended: readonly EndedRefund[]): Promise<void> {
  const failed = ended.filter(({ status }) => status === 'FAILED')
  const wallets = await openWallets(
    unit.tx,
    failed.map(({ merchantId, walletAccountNumber }) => ({ merchantId, accountNumber: walletAccountNumber })),
  )
  const completed: Journal[] = ended.filter(({ status }) => status === 'COMPLETED').map(refundCompleted)
  for (const refund of failed) {
    const taken = wallets.take({
      journal: refundFailed(refund),
      reference: refund.refundReference,
      transactionReference: refund.reference,
      narration: refund.refundReason,
      message: refund.comment,
    })
    invariant(taken, 'money can always be put into a wallet')
  }
  endRefunds(unit.tx, ended)
  emit(unit, ended.map(refundEvent))
  wallets.write(unit)
  postNew(unit, completed)
}
