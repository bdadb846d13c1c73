import type { Metrics } from '../../platform/metrics.ts'
import type { Core } from '../core.ts'
import { unitOfWork } from '../unit-of-work.ts'
import { type AuditRecord, audit } from './audit.ts'

/** Records what happened at the door, outside any transaction: before the caller hears of it. */
export type AuditTrail = (record: AuditRecord) => Promise<void>

/** Many at once are one commit. Those that say the same, as somebody's wrong logins, are one record with their number. */
export function openAuditTrail(core: Core, metrics: Metrics): AuditTrail {
  return metrics.lane({
    name: 'audit',
    run: (records: readonly AuditRecord[]) =>
      unitOfWork(core, (unit) => {
        audit(unit, ...counted(records))
        return Promise.resolve(records.map(() => undefined))
      }),
  }) as AuditTrail
}

function counted(records: readonly AuditRecord[]): readonly AuditRecord[] {
  const groups = Map.groupBy(records, ({ merchantId, act, name, address, reference, details }) =>
    JSON.stringify([String(merchantId), act, name, address, reference, details]),
  )
  return [...groups.values()].map((group) => {
    const [first] = group as [AuditRecord, ...AuditRecord[]]
    return group.length === 1 ? first : { ...first, details: { ...first.details, times: group.length } }
  })
}
