import { column, table } from '../../platform/table.ts'
import type { UnitOfWork } from '../unit-of-work.ts'

/** Who did what to a merchant's affairs. Holds no secrets. */
export interface AuditRecord {
  readonly merchantId: bigint
  /** As `settings.change`. */
  readonly act: string
  /** As `api`, `command line`, `worker`. */
  readonly actor: string
  readonly reference?: string
  readonly details?: object
}

const audits = table('audit', ['merchantId', 'id'], {
  merchantId: column<bigint>(),
  id: column<bigint>(),
  act: column<string>(),
  actor: column<string>(),
  reference: column<string | null>(),
  details: column<object>(),
  at: column<Date>(),
})

/** Records acts in the caller's transaction. */
export function audit({ tx, ids, at }: UnitOfWork, ...records: readonly AuditRecord[]): void {
  const rows = records.map(({ merchantId, act, actor, reference = null, details = {} }) => ({
    merchantId,
    id: ids.id(),
    act,
    actor,
    reference,
    details,
    at,
  }))
  audits.insert(tx, rows)
}
