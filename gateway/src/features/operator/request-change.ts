import type { ChangeKind } from '@kobo/contract'
import type { Core } from '../../core/core.ts'
import { audit } from '../../core/security/audit.ts'
import type { SignedIn } from '../../core/sessions/index.ts'
import { type UnitOfWork, unitOfWork } from '../../core/unit-of-work.ts'
import { type ChangeData, KINDS } from './change-kinds.ts'
import { insertChange } from './repository.ts'
import type { ActingOperator } from './team-changes.ts'

/** The operator who requests a change, and the reason. */
export interface Requester {
  readonly person: Pick<SignedIn, 'personId'>
  readonly by: ActingOperator
  readonly reason: string
}

/** A change that has passed its checks and can be requested. */
export interface Proposal<Kind extends ChangeKind> {
  /** HOUSE if the change concerns no merchant, or all of them. */
  readonly merchantId: bigint
  readonly kind: Kind
  readonly wanted: ChangeData[Kind]
}

/** Stores a requested change. Nothing changes until another operator approves it. */
export const requestChange = <Kind extends ChangeKind>(
  { core }: { readonly core: Core },
  proposal: Proposal<Kind>,
  requester: Requester,
): Promise<{ readonly id: string }> => unitOfWork(core, async (unit) => storeRequest(unit, proposal, requester))

function storeRequest<Kind extends ChangeKind>(
  unit: UnitOfWork,
  { merchantId, kind, wanted }: Proposal<Kind>,
  { person, by, reason }: Requester,
): { readonly id: string } {
  const id = unit.ids.id()
  insertChange(unit.tx, {
    merchantId,
    id,
    kind,
    wanted,
    reason,
    askedBy: person.personId,
    createdAt: unit.at,
    status: 'WAITING',
    decidedBy: null,
    decidedAt: null,
    decidedBecause: null,
  })
  const details = { kind, about: KINDS[kind].about(wanted), reason }
  audit(unit, { ...by, merchantId, act: 'change.request', reference: String(id), details })
  return { id: String(id) }
}
