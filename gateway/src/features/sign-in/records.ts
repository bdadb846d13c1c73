import type { By } from '../../core/edge/http/index.ts'
import { type AuditRecord, NO_MERCHANT } from '../../core/security/audit.ts'
import type { SignedIn } from '../../core/sessions/index.ts'

/** Creates the audit record of a signed-in user's action. */
export const recordOf = ({ merchantId }: SignedIn, by: By, act: string, details: object = {}): AuditRecord => ({
  ...by,
  merchantId: merchantId ?? NO_MERCHANT,
  act,
  details,
})

/** Returns the user as the actor of an action, before sign-in is complete. */
export const byPerson = (person: { readonly id: bigint; readonly email: string }, address: string): By => ({
  actor: `person/${person.id}`,
  name: person.email,
  address,
})
