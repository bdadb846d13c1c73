import type { ChangeKind } from '@kobo/contract'
import { audit } from '../../core/security/audit.ts'
import type { SignedIn } from '../../core/sessions/index.ts'
import type { UnitOfWork } from '../../core/unit-of-work.ts'
import { type ActingOperator, type ChangeData, KINDS } from './change-kinds.ts'
import { insertChange } from './repository.ts'

/** The operator who requests a change, and the reason. */
export interface Requester {
  readonly person: Pick<SignedIn, 'personId'>
  readonly by: ActingOperator
  readonly reason: string
}

/** Stores a requested change. Nothing changes until another operator approves it. */
export function requestChange<Kind extends ChangeKind>(
  unit: UnitOfWork,
  merchantId: bigint,
  kind: Kind,
  requested: ChangeData[Kind],
  { person, by, reason }: Requester,
): { readonly id: string } {
  const id = unit.ids.id()
  insertChange(unit.tx, {
    merchantId,
    id,
    kind,
    wanted: requested,
    reason,
    askedBy: person.personId,
    createdAt: unit.at,
    status: 'WAITING',
    decidedBy: null,
    decidedAt: null,
    decidedBecause: null,
  })
  const details = { kind, about: KINDS[kind].about(requested), reason }
  audit(unit, { ...by, merchantId, act: 'change.ask', reference: String(id), details })
  return { id: String(id) }
}
