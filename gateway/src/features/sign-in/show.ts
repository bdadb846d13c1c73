import type { Reply, whoAmI } from '@kobo/contract'
import type { Merchant } from '../../core/merchants/index.ts'
import type { SignedIn } from '../../core/sessions/index.ts'
import type { Environment } from '../../platform/config.ts'

/** Who is signed in. Whoever is not all the way in learns nothing of a merchant. */
export function showMe(
  { personId, name, email, role, stage, permissions, isFresh, csrf }: SignedIn,
  merchant: Merchant | undefined,
  environment: Environment,
): Reply<typeof whoAmI> {
  const isIn = stage === 'in'
  return {
    stage,
    id: String(personId),
    name,
    email,
    merchant: isIn && merchant !== undefined ? { code: merchant.code, name: merchant.name } : null,
    role: (isIn ? role : undefined) ?? null,
    permissions: isIn ? [...permissions] : [],
    isFresh,
    csrf,
    environment,
  }
}
