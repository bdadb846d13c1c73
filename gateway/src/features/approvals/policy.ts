import type { Merchant, StoredPolicy } from '../../core/merchants/index.ts'
import { type Kobo, kobo, ZERO } from '../../kernel/money.ts'

/** How many people must approve which payouts. */
export interface ApprovalPolicy {
  /** Payouts below this amount need no approval. */
  readonly freeBelow: Kobo
  /** Payouts from this amount need two approvals; null if one is always enough. */
  readonly twoFrom: Kobo | null
  /** Up to this amount, the merchant's only approver may approve their own payouts. */
  readonly soleUpTo: Kobo
  /** Whether payouts made through the API need approval too. */
  readonly coversApi: boolean
}

const MILLION_NAIRA = kobo(100_000_000n)

/** The default: one approval for payouts made by people; payouts through the API use the emailed OTP. */
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

export const policyOf = ({ approvalPolicy }: Pick<Merchant, 'approvalPolicy'>): ApprovalPolicy =>
  approvalPolicy === null ? STANDARD_POLICY : readPolicy(approvalPolicy)

export const approvalsNeeded = ({ freeBelow, twoFrom }: ApprovalPolicy, amount: Kobo): number =>
  amount < freeBelow ? 0 : twoFrom !== null && amount >= twoFrom ? 2 : 1

/** The creator of a payout: a team member, or undefined for the merchant's server. */
export type Maker = { readonly personId: bigint } | undefined

/** The condition that releases a payout: none, an emailed OTP, or a number of approvals. */
export type Gate =
  | { readonly kind: 'none' }
  | { readonly kind: 'code' }
  | { readonly kind: 'approval'; readonly needed: number }

export type ApprovalGate = Exclude<Gate, { readonly kind: 'code' }>

/** Seconds until a payout that was not authorized expires. */
export const AUTHORIZE_SECONDS_MAX = 86_400

type MerchantPolicy = Pick<Merchant, 'approvalPolicy' | 'otpEnabled'>

/**
 * Returns the gate of any payment out of a wallet, except money that is returned to its payer. A payout made by a
 * person never needs the emailed OTP: the approver's second factor replaces it.
 */
export function gateOf(merchant: MerchantPolicy, maker: Maker, amount: Kobo): Gate {
  const gate = approvalGate(merchant, maker, amount)
  return gate.kind === 'none' && maker === undefined && merchant.otpEnabled ? { kind: 'code' } : gate
}

/** Returns the gate of payouts that have no OTP in Monnify's API: refunds, paycodes and bills. */
export function approvalGate(merchant: MerchantPolicy, maker: Maker, amount: Kobo): ApprovalGate {
  if (maker === undefined && merchant.approvalPolicy?.coversApi !== true) return { kind: 'none' }
  const needed = approvalsNeeded(policyOf(merchant), amount)
  return needed > 0 ? { kind: 'approval', needed } : { kind: 'none' }
}

/** How many approvals a payout made through the API needs if every approver knows a secret key. */
const KEY_HOLDERS_NEEDED = 2

/**
 * Returns how many approvals a payout still needs. A payout through the API may have been made by anyone who knows a
 * secret key, so the approval of one key holder is not enough.
 */
export function approvalsLeft(
  request: { readonly approvalsNeeded: number; readonly madeBy: bigint | null },
  approvedBy: readonly bigint[],
  keyHolders: ReadonlySet<bigint>,
): number {
  const count = approvedBy.length
  const areKeyHolders = request.madeBy === null && count > 0 && approvedBy.every((id) => keyHolders.has(id))
  return Math.max(0, request.approvalsNeeded - count, areKeyHolders ? KEY_HOLDERS_NEEDED - count : 0)
}
