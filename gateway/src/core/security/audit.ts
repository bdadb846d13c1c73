import { userInfo } from 'node:os'
import { listing } from '../../platform/listing.ts'
import { column, type Row, table } from '../../platform/table.ts'
import type { UnitOfWork } from '../unit-of-work.ts'

/** Acts that concern no merchant stand under this number. */
export const NO_MERCHANT = 0n

/** Who acts: a merchant's server, a person by their id, an operator at the machine, or the program by itself, on request or in the background. */
export type Actor = 'api' | `person/${bigint}` | 'command line' | 'gateway' | 'worker'

/** Who did what to a merchant's affairs. Holds no secrets. */
export interface AuditRecord {
  readonly merchantId: bigint
  /** As `settings.change`. */
  readonly act: string
  readonly actor: Actor
  /** Who it was: an API key, a person's e-mail address. On the command line it is the name of the account there. */
  readonly name?: string | undefined
  /** From where, where it came over the network. */
  readonly address?: string | undefined
  readonly reference?: string | undefined
  readonly details?: object
}

export const audits = table('audit', ['merchantId', 'id'], {
  merchantId: column<bigint>(),
  id: column<bigint>(),
  act: column<string>(),
  actor: column<string>(),
  name: column<string | null>(),
  address: column<string | null>(),
  reference: column<string | null>(),
  details: column<object>(),
  at: column<Date>(),
})
export type AuditRow = Row<typeof audits>

/** What was done to a merchant's affairs, as a list. */
export const auditList = listing(audits, { idsAre: 'moments', method: 'act' })

/** Records acts in the caller's transaction. */
export function audit(
  { tx, ids, at }: Pick<UnitOfWork, 'tx' | 'ids' | 'at'>,
  ...records: readonly AuditRecord[]
): void {
  const rows = records.map(({ merchantId, act, actor, name, address = null, reference = null, details = {} }) => ({
    merchantId,
    id: ids.id(),
    act,
    actor,
    name: name ?? (actor === 'command line' ? nameOfOperator() : null),
    address,
    reference,
    details,
    at,
  }))
  audits.insert(tx, rows)
}

/** Who has the machine's command line; an account without a name is told by its number. */
function nameOfOperator(): string {
  try {
    return userInfo().username
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`
  }
}
