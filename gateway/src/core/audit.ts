import { rowSet } from '../platform/db.ts'
import type { UnitOfWork } from './unit-of-work.ts'

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

/** Records an act in the caller's transaction. */
export function audit({ tx, ids, at }: UnitOfWork, record: AuditRecord): void {
  const row = { id: ids.id(), at, details: {}, ...record }
  void tx`insert into audit select * from json_populate_recordset(null::audit, ${rowSet([row])}::text::json)`
}
