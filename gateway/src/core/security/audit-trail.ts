import type { Metrics } from '../../platform/metrics/metrics.ts'
import { inOneQuery } from '../../platform/postgres/db.ts'
import type { UnitOfWorkDeps } from '../unit-of-work.ts'
import { type AuditRecord, audit } from './audit.ts'

/** Audits events outside any transaction, before the caller gets a response. */
export type AuditTrail = (record: AuditRecord) => Promise<void>

/** Records are written in batches. Equal ones, such as repeated failed logins, become one record with a count. */
export function openAuditTrail(core: Pick<UnitOfWorkDeps, 'db' | 'ids' | 'clock'>, metrics: Metrics): AuditTrail {
  return metrics.lane({
    name: 'audit',
    batchesMax: 1,
    run: async (records: readonly AuditRecord[]) => {
      const { db, ids, clock } = core
      await inOneQuery(db, (tx) => audit({ tx, ids, at: clock.now() }, ...merged(records)))
      return records.map(() => undefined)
    },
  }) as AuditTrail
}

function merged(records: readonly AuditRecord[]): readonly AuditRecord[] {
  const groups = Map.groupBy(records, ({ merchantId, act, name, address, reference, details }) =>
    JSON.stringify([String(merchantId), act, name, address, reference, details]),
  )
  return [...groups.values()].map((group) => {
    const [first] = group as [AuditRecord, ...AuditRecord[]]
    return group.length === 1 ? first : { ...first, details: { ...first.details, times: group.length } }
  })
}
