import type * as contract from '@kobo/contract'
import type { Reply } from '@kobo/contract'
import type { Merchant } from '../../core/merchants/index.ts'
import { type DecisionRow, isDecidable, isProposer, type OrderRow, verdictsOn } from '../../core/orders/index.ts'
import type { SignedIn } from '../../core/sessions/index.ts'
import { toNaira } from '../../kernel/money.ts'

type Shown = Reply<typeof contract.getOperatorOrder>

export const showListed = (order: OrderRow, merchant: Merchant | undefined) => ({
  reference: order.reference,
  purpose: order.purpose,
  state: order.state,
  merchantCode: merchant?.code ?? null,
  merchantName: merchant?.name ?? null,
  partner: order.partner,
  amount: toNaira(order.amount),
  tries: order.tries,
  createdAt: order.createdAt.toISOString(),
  hasArrived: order.concludedAt !== null,
})

/** Shows an order with the verdicts that are possible now. */
export const showDetail = (order: OrderRow, merchant: Merchant | undefined, at: Date) => ({
  ...showListed(order, merchant),
  concludedAt: isoOf(order.concludedAt),
  verdicts: verdictsOn(order, at).map(({ verdict, follows, needs }) => ({ verdict, follows, needs: [...needs] })),
})

/** Whether a proposal waits for this user's confirmation. */
export const mayConfirm = (person: SignedIn, order: OrderRow, decisions: readonly DecisionRow[], at: Date): boolean =>
  isDecidable(order, at) &&
  person.may('operator.manage') &&
  decisions.some((one) => one.state === 'PROPOSED' && !isProposer(one, { id: person.personId, name: person.email }))

/** A decision's details may be worth money, like a bill's token, so only users who can decide see them. */
export const showDecision = ({ may }: SignedIn, decision: DecisionRow): Shown['decisions'][number] => ({
  id: String(decision.id),
  reference: decision.reference,
  verdict: decision.verdict,
  told: Object.entries(decision.told).map(([name, value]) => ({ name, value: may('operator.manage') ? value : '…' })),
  state: decision.state,
  proposedBy: decision.proposedBy,
  proposedBecause: decision.proposedBecause,
  proposedAt: decision.proposedAt.toISOString(),
  confirmedBy: decision.confirmedBy,
  confirmedBecause: decision.confirmedBecause,
  confirmedAt: isoOf(decision.confirmedAt),
  endedAt: isoOf(decision.endedAt),
})

const isoOf = (at: Date | null): string | null => at?.toISOString() ?? null
