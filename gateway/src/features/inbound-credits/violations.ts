import { NO_MERCHANT } from '../../core/security/audit.ts'
import type { AuditTrail } from '../../core/security/audit-trail.ts'
import type { Counter } from '../../platform/http/rate-limit.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import type { Log } from '../../platform/observability/log.ts'

/** A partner's report about something that belongs to another partner: its secret may have leaked. */
export interface Violation {
  readonly partner: string
  readonly operation: string
  readonly why: 'not its account' | 'not its order' | 'not its payment' | 'not in its manifest' | 'old signature'
  /** The bank's or our reference, or the number, if it was read. */
  readonly reference?: string
}

export type ReportViolation = (violation: Violation) => Promise<void>

/** Audit records per minute and partner; further violations only count in the metric. */
const AUDITED_PER_MINUTE_MAX = 60

export function openViolations({
  metrics,
  log,
  trail,
  openCounter,
}: {
  readonly metrics: Metrics
  readonly log: Log
  readonly trail: AuditTrail
  readonly openCounter: (perMinute: number) => Counter
}): ReportViolation {
  const audited = openCounter(AUDITED_PER_MINUTE_MAX)
  return async ({ partner, operation, why, reference }) => {
    metrics.partnerViolation(partner, operation)
    if (audited.usedUp(partner) !== undefined) return
    audited.count(partner)
    log.error({ partner, operation, why, reference }, 'partner notification rejected; check its secret')
    const details = { partner, operation, why }
    await trail({ merchantId: NO_MERCHANT, act: 'partner.reject', actor: 'gateway', reference, details })
  }
}
