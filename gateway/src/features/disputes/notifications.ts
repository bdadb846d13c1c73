import { disputeRefusals } from '@kobo/contract'
import { selectSources } from '../../core/account-numbers/index.ts'
import type { Core } from '../../core/core.ts'
import { selectTakenReferences, storedReferences } from '../../core/money/credits/index.ts'
import { unitOfWork } from '../../core/unit-of-work.ts'
import { invariant, Refusal } from '../../kernel/errors.ts'
import type { Log } from '../../platform/observability/log.ts'
import type { DisputeOutcome, InboundDispute } from '../../rails/dispute.ts'
import type { Partners } from '../../rails/partners.ts'
import { transactionReads } from '../transactions/index.ts'
import { decideDispute } from './decide.ts'
import { openDispute } from './open.ts'

const CONFLICTS: ReadonlySet<string> = new Set([
  disputeRefusals.reportedDifferently.code,
  disputeRefusals.decidedDifferently.code,
])

/**
 * Receives a partner's notification that a dispute was opened, has ended, or both. A repeat changes nothing. If it
 * contradicts an earlier report, it is a conflict. Conflicts and rejected notifications are logged for manual review.
 */
export async function receiveDispute(deps: Deps, notification: InboundDispute): Promise<DisputeOutcome> {
  const { core, log, partners } = deps
  const { partner, reference } = notification
  const named = await transactionReads.paymentsUnder(core.db, await referencesOf(core, notification))
  const own = named.filter((payment) => partners.isOf(partner, payment.partner))
  if (named.length > 0 && own.length === 0)
    await deps.violation({ partner, operation: 'disputes', why: 'not its payment', reference })
  const [payment, another] = own.filter((one) => matchesNotification(one, notification))
  const outcome =
    payment === undefined
      ? ({ kind: 'rejected', reason: 'PAYMENT_NOT_FOUND' } as const)
      : another === undefined
        ? await applyNotification(core, payment, notification)
        : ({ kind: 'rejected', reason: 'PAYMENT_NOT_UNIQUE' } as const)
  if (outcome.kind !== 'accepted')
    log.warn({ partner, reference, outcome }, 'dispute notification rejected; contact the partner')
  return outcome
}

interface Deps {
  readonly core: Core
  readonly log: Log
  readonly partners: Pick<Partners, 'isOf'>
  /** Reports a partner that disputes another partner's payment. */
  readonly violation: (violation: {
    readonly partner: string
    readonly operation: string
    readonly why: 'not its payment'
    readonly reference: string
  }) => Promise<void>
}

/**
 * Returns the references under which the disputed payment may be stored. If another credit had the same reference, the
 * payment is stored under partner, bank and reference. An accepted conflict is stored under a reference of its own.
 */
async function referencesOf(
  { db }: Core,
  { partner, paymentReference, bankCode }: InboundDispute,
): Promise<readonly string[]> {
  const sources = await selectSources(db)
  const bankCodes = new Set([...sources.map((source) => source.bankCode), ...(bankCode === null ? [] : [bankCode])])
  return [
    ...storedReferences(partner, paymentReference, bankCodes),
    ...(await selectTakenReferences(db, partner, paymentReference)),
  ]
}

type NamedPayment = Awaited<ReturnType<typeof transactionReads.paymentsUnder>>[number]

/** Whether a payment is the one that a partner means: two banks of a partner may use the same reference. */
const matchesNotification = (payment: NamedPayment, { bankCode, accountNumber }: InboundDispute): boolean =>
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
