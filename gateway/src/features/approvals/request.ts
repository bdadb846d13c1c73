import type { PayoutKind } from '@kobo/contract'
import { canonicalJson } from '../../kernel/canonical-json.ts'
import { sha256 } from '../../platform/crypto.ts'
import type { Facts, PayoutKey } from './payouts.ts'
import type { Maker } from './policy.ts'
import type { RequestRow } from './repository.ts'

/** Returns the hash of the facts that an approval covers. */
export const hashOfFacts = (facts: Facts): string => sha256(canonicalJson(facts)).toString('base64url')

export const requestFor = (
  { merchantId, id, createdAt }: PayoutKey & { readonly createdAt: Date },
  kind: PayoutKind,
  facts: Facts,
  maker: Maker,
  approvalsNeeded: number,
): RequestRow => ({
  merchantId,
  ownerId: id,
  kind,
  madeBy: maker?.personId ?? null,
  approvalsNeeded,
  hash: hashOfFacts(facts),
  createdAt,
  endedAt: null,
  notifiedAt: null,
})
