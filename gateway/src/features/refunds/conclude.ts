import { emit } from '../../core/messages/outbox/index.ts'
import { postNew } from '../../core/money/ledger/index.ts'
import { openWallets } from '../../core/money/wallet-balances/index.ts'
import {
  type Concluded,
  type Conclusion,
  type OrderResponse,
  type OrderRow,
  withdraw,
} from '../../core/orders/index.ts'
import type { UnitOfWork } from '../../core/unit-of-work.ts'
import { invariant } from '../../kernel/errors.ts'
import { next } from '../../kernel/machine.ts'
import { sum, toNairaText } from '../../kernel/money.ts'
import { endRequests } from '../approvals/index.ts'
import { refundEvent } from './events.ts'
import { refundCompleted, refundFailed } from './journals.ts'
import { refundMachine } from './machine.ts'
import { endParts, endRefunds, lockRefunds, type PartRow, partsOf, type RefundRow, selectParts } from './repository.ts'

/** The outcome of a part of a refund. */
export type RefundResponse =
  /** `finalAt` is the time until which the bank may still return the money, if there is one. */
  | { readonly kind: 'arrived'; readonly finalAt?: Date }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly unanswered?: boolean }
  | { readonly kind: 'not found' }

/** The part of a refund that an order sends. A refund of a single payment has itself as its only part. */
export interface RefundPart {
  readonly refund: RefundRow
  readonly part: PartRow
}

/** A completed part and the partner that sent it. */
type EndedPart = RefundPart & Pick<OrderRow, 'partner'>

type EndedRefund = RefundRow & { readonly status: 'COMPLETED' | 'FAILED' }

/** Decides what a rail's response means: the conclusion of the order and, if the part has ended, its new state. */
export function outcomeOf(
  part: PartRow,
  response: RefundResponse,
  at: Date,
): { readonly conclusion: Conclusion; readonly ended?: PartRow } {
  if (next(refundMachine, part.status, 'complete') === undefined) return { conclusion: { kind: 'concluded' } }
  switch (response.kind) {
    case 'arrived':
      // The bank may still return the money: the success counts only once the rail confirms it at `finalAt`.
      if (response.finalAt !== undefined && response.finalAt > at)
        return { conclusion: { kind: 'ask', at: response.finalAt } }
      return { conclusion: { kind: 'concluded' }, ended: { ...part, status: 'COMPLETED' } }
    case 'failed':
      return { conclusion: { kind: 'concluded' }, ended: { ...part, status: 'FAILED', failure: response.reason } }
    case 'unknown':
      return { conclusion: { kind: 'unknown' } }
    case 'not found':
      return { conclusion: { kind: 'send again', at } }
  }
}

/**
 * Returns a refund after all its parts have ended; undefined before. If only some parts failed, their money is back in
 * the wallet, and the refund is COMPLETED with the amount of the others.
 */
export function afterParts(refund: RefundRow, parts: readonly PartRow[], at: Date): EndedRefund | undefined {
  if (parts.some(({ status }) => status === 'PENDING')) return undefined
  const arrived = parts.filter(({ status }) => status === 'COMPLETED')
  const failed = parts.filter(({ status }) => status === 'FAILED')
  const why = [...new Set(failed.flatMap(({ failure }) => failure ?? []))].join('; ')
  if (arrived.length === 0) return { ...refund, status: 'FAILED', comment: `Refund failed: ${why}`, completedAt: at }
  if (failed.length === 0) return { ...refund, status: 'COMPLETED', comment: 'Refund completed', completedAt: at }
  const back = toNairaText(sum(failed.map(({ amount }) => amount)))
  return {
    ...refund,
    status: 'COMPLETED',
    type: 'PARTIAL_REFUND',
    amount: sum(arrived.map(({ amount }) => amount)),
    fee: sum(arrived.map(({ fee }) => fee)),
    comment: `Refund completed in part: ${back} could not be refunded and is back in the wallet: ${why}`,
    completedAt: at,
  }
}

/** Concludes a batch of parts: status, journals and events. A part that is already completed stays as it is. */
export async function concludeRefunds(
  unit: UnitOfWork,
  responses: readonly OrderResponse<RefundPart, RefundResponse>[],
): Promise<readonly Concluded<RefundPart>[]> {
  const keys = responses.map(({ subject: { refund } }) => refund)
  // Sent together and run in this order: the query after the lock sees everything that was committed before it.
  const [locked, rows] = await Promise.all([lockRefunds(unit.tx, keys), selectParts(unit.tx, keys)])
  const refunds = new Map(locked.map((refund) => [refund.id, refund]))
  const parts = new Map(locked.flatMap((refund) => partsOf(refund, rows)).map((part) => [part.id, part]))
  const ended: EndedPart[] = []
  const concluded = responses.map(({ order, subject, response }) => {
    const refund = refunds.get(subject.refund.id)
    const part = parts.get(subject.part.id)
    invariant(refund !== undefined && part !== undefined, 'a refund and its parts are never deleted')
    const outcome = outcomeOf(part, response, unit.at)
    const after = { refund, part: outcome.ended ?? part }
    if (outcome.ended !== undefined) {
      parts.set(part.id, outcome.ended)
      ended.push({ ...after, partner: order.partner })
    }
    return { subject: after, conclusion: outcome.conclusion }
  })
  const partsOfRefund = Map.groupBy(parts.values(), ({ refundId }) => refundId)
  const touched = new Set(ended.map(({ refund }) => refund))
  const over = [...touched].flatMap((refund) => afterParts(refund, partsOfRefund.get(refund.id) ?? [], unit.at) ?? [])
  await writeEnded(unit, ended, over)
  return concluded
}

/** Fails refunds that were not authorized, and returns their money. The caller has locked the refunds. */
export async function failHeld(unit: UnitOfWork, refunds: readonly RefundRow[], failure: string): Promise<void> {
  const rows = await selectParts(unit.tx, refunds)
  const ended = refunds.flatMap((refund) =>
    partsOf(refund, rows).map((part) => ({
      refund,
      part: { ...part, status: 'FAILED', failure } as const,
      partner: null,
    })),
  )
  withdraw(
    unit,
    ended.map(({ part }) => part),
  )
  const over = refunds.flatMap((refund) => {
    const parts = ended.filter((one) => one.refund === refund).map(({ part }) => part)
    return afterParts({ ...refund, authorizeBy: null }, parts, unit.at) ?? []
  })
  endRequests(unit.tx, refunds, unit.at)
  await writeEnded(unit, ended, over)
}

async function writeEnded(unit: UnitOfWork, ended: readonly EndedPart[], over: readonly EndedRefund[]): Promise<void> {
  const failed = ended.filter(({ part }) => part.status === 'FAILED')
  const completed = ended.filter(({ part }) => part.status === 'COMPLETED')
  const wallets = await openWallets(
    unit.tx,
    failed.map(({ refund: { merchantId, walletAccountNumber } }) => ({
      merchantId,
      accountNumber: walletAccountNumber,
    })),
  )
  for (const { refund, part } of failed) {
    const taken = wallets.take({
      journal: refundFailed({ ...refund, ...part }),
      reference: refund.refundReference,
      transactionReference: part.reference,
      narration: refund.refundReason,
      message: `Refund failed: ${part.failure}`,
    })
    invariant(taken, 'a wallet can always be credited')
  }
  endParts(
    unit.tx,
    ended.flatMap(({ refund, part }) => (part.id === refund.id ? [] : part)),
  )
  endRefunds(unit.tx, over)
  emit(unit, over.map(refundEvent))
  wallets.write(unit)
  postNew(
    unit,
    completed.map(({ refund, part, partner }) => refundCompleted({ ...refund, ...part }, partner)),
  )
}
