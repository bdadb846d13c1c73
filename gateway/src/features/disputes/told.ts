import { disputeRefusals } from '@kobo/contract'
import type { Core } from '../../core/core.ts'
import { unitOfWork } from '../../core/unit-of-work.ts'
import { invariant, Refusal } from '../../kernel/errors.ts'
import type { Log } from '../../platform/log.ts'
import type { DisputeOutcome, InboundDispute } from '../../rails/dispute.ts'
import { ADAPTER } from '../../rails/partners.ts'
import { findPaymentsCalled, type NamedPayment } from '../transactions/index.ts'
import { decideDispute } from './decide.ts'
import { openDispute } from './open.ts'

const CONFLICTS: ReadonlySet<string> = new Set([
  disputeRefusals.toldOtherwise.code,
  disputeRefusals.decidedOtherwise.code,
])

/**
 * Takes what a partner tells of a dispute: opened, ended, or both at once. Told again it changes nothing. What contradicts
 * what was told before, or wants back more than there is, is answered so and logged: a person talks to the partner.
 */
export async function receiveDispute(core: Core, log: Log, told: InboundDispute): Promise<DisputeOutcome> {
  const payments = (await findPaymentsCalled(core.db, told.paymentReference)).filter((one) => isMeant(one, told))
  const [payment, another] = payments
  const outcome =
    payment === undefined
      ? ({ kind: 'rejected', reason: 'PAYMENT_NOT_FOUND' } as const)
      : another === undefined
        ? await take(core, payment, told)
        : ({ kind: 'rejected', reason: 'PAYMENT_NOT_UNIQUE' } as const)
  if (outcome.kind !== 'accepted') {
    const { partner, reference } = told
    log.warn({ partner, reference, outcome }, 'a partner tells of a dispute that cannot be taken: talk to it')
  }
  return outcome
}

/** Whether a payment is the one that a partner means: partners, and the banks behind them, number each for themselves. */
const isMeant = (payment: NamedPayment, { partner, bankCode, accountNumber }: InboundDispute): boolean =>
  [partner, '', ADAPTER].includes(payment.partner) &&
  (bankCode === null || payment.bankCode === bankCode) &&
  (accountNumber === null || payment.accountNumber === accountNumber)

async function take(core: Core, payment: NamedPayment, told: InboundDispute): Promise<DisputeOutcome> {
  const merchant = await core.directory.byId(payment.merchantId)
  invariant(merchant !== undefined, 'a payment belongs to a merchant')
  const key = { merchantId: payment.merchantId, id: payment.transactionId }
  try {
    await unitOfWork(core, async (unit) => {
      const { dispute } = await openDispute(unit, merchant, key, {
        partner: told.partner,
        partnerReference: told.reference,
        kind: told.kind,
        paymentId: payment.id,
        amount: told.amount,
        reason: told.reason ?? undefined,
        evidenceDueAt: told.respondBy,
      })
      if (told.status !== 'OPEN') await decideDispute(unit, dispute, told.status, null)
    })
    return { kind: 'accepted' }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return CONFLICTS.has(error.code) ? { kind: 'conflict' } : { kind: 'rejected', reason: error.code }
  }
}
