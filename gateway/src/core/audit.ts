import type { IdSource } from '../kernel/ids.ts'
import { rowSet, type Tx } from '../platform/db.ts'

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
export async function audit(tx: Tx, ids: IdSource, at: Date, record: AuditRecord): Promise<void> {
  const row = { id: ids.id(), at, details: {}, ...record }
  await tx`insert into audit select * from json_populate_recordset(null::audit, ${rowSet([row])}::text::json)`
}
