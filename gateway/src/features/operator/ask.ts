import type { ChangeKind } from '@kobo/contract'
import type { By } from '../../core/edge/http/index.ts'
import { audit } from '../../core/security/audit.ts'
import type { SignedIn } from '../../core/sessions/index.ts'
import type { UnitOfWork } from '../../core/unit-of-work.ts'
import { KINDS, type Wanted } from './change-kinds.ts'
import { insertChange } from './repository.ts'

/** Who asks for something, and why. */
export interface Asker {
  readonly person: SignedIn
  readonly by: By
  readonly reason: string
}

/** Writes down what somebody asks for. Nothing changes until another operator approves it. */
export function ask<Kind extends ChangeKind>(
  unit: UnitOfWork,
  merchantId: bigint,
  kind: Kind,
  wanted: Wanted[Kind],
  { person, by, reason }: Asker,
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
  audit(unit, { ...by, merchantId, act: 'change.ask', reference: String(id), details })
  return { id: String(id) }
}
