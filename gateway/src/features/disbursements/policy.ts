import type { Merchant, StoredPolicy } from '../../core/merchants/index.ts'
import { type Kobo, kobo, ZERO } from '../../kernel/money.ts'

/** How many people must approve which payouts. */
export interface ApprovalPolicy {
  /** What is less goes without. */
  readonly freeBelow: Kobo
  /** From there on two must approve; null where one is always enough. */
  readonly twoFrom: Kobo | null
  /** Up to there the merchant's only approver may approve what they made. */
  readonly soleUpTo: Kobo
  /** Whether payouts of the merchant's own servers wait too. */
  readonly coversApi: boolean
}

const MILLION_NAIRA = kobo(100_000_000n)

/** Where a merchant has chosen nothing: one approver for all that people make, and servers go by the mailed code as ever. */
export const STANDARD_POLICY: ApprovalPolicy = {
  freeBelow: ZERO,
  twoFrom: null,
  soleUpTo: MILLION_NAIRA,
  coversApi: false,
}

export const storedPolicy = ({ freeBelow, twoFrom, soleUpTo, coversApi }: ApprovalPolicy): StoredPolicy => ({
  freeBelow: String(freeBelow),
  twoFrom: twoFrom === null ? null : String(twoFrom),
  soleUpTo: String(soleUpTo),
  coversApi,
})

export const readPolicy = ({ freeBelow, twoFrom, soleUpTo, coversApi }: StoredPolicy): ApprovalPolicy => ({
  freeBelow: kobo(BigInt(freeBelow)),
  twoFrom: twoFrom === null ? null : kobo(BigInt(twoFrom)),
  soleUpTo: kobo(BigInt(soleUpTo)),
  coversApi,
})

/** The policy that counts for a merchant. */
export const policyOf = ({ approvalPolicy }: Pick<Merchant, 'approvalPolicy'>): ApprovalPolicy =>
  approvalPolicy === null ? STANDARD_POLICY : readPolicy(approvalPolicy)

export const approvalsNeeded = ({ freeBelow, twoFrom }: ApprovalPolicy, amount: Kobo): number =>
  amount < freeBelow ? 0 : twoFrom !== null && amount >= twoFrom ? 2 : 1

/** Who makes a payout: a person, or a server of the merchant's. */
export type Maker = { readonly personId: bigint } | undefined

/** What lets a payout go: nothing, the code that is mailed, or so many approvals. */
export type Gate =
  | { readonly kind: 'none' }
  | { readonly kind: 'code' }
  | { readonly kind: 'approval'; readonly needed: number }

/** What lets a payout go. A person's never goes by the mailed code: the approver's second factor takes its place. */
export function gateOf(merchant: Pick<Merchant, 'approvalPolicy' | 'otpEnabled'>, maker: Maker, amount: Kobo): Gate {
  if (maker === undefined && merchant.approvalPolicy?.coversApi !== true)
    return merchant.otpEnabled ? { kind: 'code' } : { kind: 'none' }
  const needed = approvalsNeeded(policyOf(merchant), amount)
  if (needed > 0) return { kind: 'approval', needed }
  return maker === undefined && merchant.otpEnabled ? { kind: 'code' } : { kind: 'none' }
}
