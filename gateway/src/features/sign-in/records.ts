import type { By } from '../../core/edge/http/index.ts'
import { type AuditRecord, NO_MERCHANT } from '../../core/security/audit.ts'
import type { SignedIn } from '../../core/sessions/index.ts'

/** The record of what a person did who is signed in. */
export const recordOf = ({ merchantId }: SignedIn, by: By, act: string, details: object = {}): AuditRecord => ({
  ...by,
  merchantId: merchantId ?? NO_MERCHANT,
  act,
  details,
})

/** Who acts that is not signed in yet. */
export const byPerson = (person: { readonly id: bigint; readonly email: string }, address: string): By => ({
  actor: `person/${person.id}`,
  name: person.email,
  address,
})
