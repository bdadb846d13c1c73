import { inOneStatement } from '../../platform/db.ts'
import type { Metrics } from '../../platform/metrics.ts'
import type { Core } from '../core.ts'
import { type AuditRecord, audit } from './audit.ts'

/** Records what happened at the door, outside any transaction: before the caller hears of it. */
export type AuditTrail = (record: AuditRecord) => Promise<void>

/** Many at once are one commit. Those that say the same, as somebody's wrong logins, are one record with their number. */
export function openAuditTrail(core: Core, metrics: Metrics): AuditTrail {
  return metrics.lane({
    name: 'audit',
    setsMax: 1,
    run: async (records: readonly AuditRecord[]) => {
      const { db, ids, clock } = core
      await inOneStatement(db, (tx) => audit({ tx, ids, at: clock.now() }, ...counted(records)))
      return records.map(() => undefined)
    },
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
