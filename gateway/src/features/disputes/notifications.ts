import { disputeRefusals } from '@kobo/contract'
import type { Core } from '../../core/core.ts'
import { unitOfWork } from '../../core/unit-of-work.ts'
import { invariant, Refusal } from '../../kernel/errors.ts'
import type { Log } from '../../platform/observability/log.ts'
import type { DisputeOutcome, InboundDispute } from '../../rails/dispute.ts'
import { ADAPTER } from '../../rails/partners.ts'
import { transactionReads } from '../transactions/index.ts'
import { decideDispute } from './decide.ts'
import { openDispute } from './open.ts'

const CONFLICTS: ReadonlySet<string> = new Set([
  disputeRefusals.toldOtherwise.code,
  disputeRefusals.decidedOtherwise.code,
])

/**
 * Receives a partner's notification of a dispute: opened, ended, or both. A repeat changes nothing. A contradiction, or
 * an amount that exceeds the payment, is returned as a conflict and logged for manual review.
 */
export async function receiveDispute(core: Core, log: Log, notification: InboundDispute): Promise<DisputeOutcome> {
  const payments = (await transactionReads.paymentsUnder(core.db, notification.paymentReference)).filter((one) =>
    isMeant(one, notification),
  )
  const [payment, another] = payments
  const outcome =
    payment === undefined
      ? ({ kind: 'rejected', reason: 'PAYMENT_NOT_FOUND' } as const)
      : another === undefined
        ? await applyNotification(core, payment, notification)
        : ({ kind: 'rejected', reason: 'PAYMENT_NOT_UNIQUE' } as const)
  if (outcome.kind !== 'accepted') {
    const { partner, reference } = notification
    log.warn({ partner, reference, outcome }, 'dispute notification rejected; contact the partner')
  }
  return outcome
}

type NamedPayment = Awaited<ReturnType<typeof transactionReads.paymentsUnder>>[number]

/** Whether a payment is the one a partner means: each partner and bank has its own numbering. */
const isMeant = (payment: NamedPayment, { partner, bankCode, accountNumber }: InboundDispute): boolean =>
  [partner, '', ADAPTER].includes(payment.partner) &&
  (bankCode === null || payment.bankCode === bankCode) &&
  (accountNumber === null || payment.accountNumber === accountNumber)

async function applyNotification(
  core: Core,
  payment: NamedPayment,
  notification: InboundDispute,
): Promise<DisputeOutcome> {
  const merchant = await core.directory.byId(payment.merchantId)
  invariant(merchant !== undefined, 'a payment belongs to a merchant')
  const key = { merchantId: payment.merchantId, id: payment.transactionId }
  try {
    await unitOfWork(core, async (unit) => {
      const { dispute } = await openDispute(unit, merchant, key, {
        partner: notification.partner,
        partnerReference: notification.reference,
        kind: notification.kind,
        paymentId: payment.id,
        amount: notification.amount,
        reason: notification.reason ?? undefined,
        evidenceDueAt: notification.respondBy,
      })
      if (notification.status !== 'OPEN') await decideDispute(unit, dispute, notification.status, null)
    })
    return { kind: 'accepted' }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return CONFLICTS.has(error.code) ? { kind: 'conflict' } : { kind: 'rejected', reason: error.code }
  }
}
