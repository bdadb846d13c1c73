import type * as contract from '@kobo/contract'
import type { Reply } from '@kobo/contract'
import type { Core } from '../../core/core.ts'
import type { By } from '../../core/edge/http/index.ts'
import {
  decidableSince,
  decide,
  decisionsAbout,
  findDecidedOrder,
  findOpenOrder,
  orderErrors,
  queryByOperator,
  selectOpenDecisions,
  selectUnresolved,
  type Vote,
} from '../../core/orders/index.ts'
import type { SignedIn } from '../../core/sessions/index.ts'
import { unitOfWork } from '../../core/unit-of-work.ts'
import { mayConfirm, showDecision, showDetail, showListed } from './show.ts'

export interface OperatorOrderDeps {
  readonly core: Core
}

/** Lists orders that need manual review, each with its proposal. */
export async function listUnresolved(
  { core: { db, clock, directory } }: OperatorOrderDeps,
  person: SignedIn,
): Promise<Reply<typeof contract.listUnresolvedOrders>> {
  const [orders, open] = await Promise.all([selectUnresolved(db, decidableSince(clock.now())), selectOpenDecisions(db)])
  const proposals = new Map(open.map((decision) => [decision.orderId, decision]))
  return {
    orders: await Promise.all(
      orders.map(async (order) => {
        const proposal = proposals.get(order.id)
        const merchant = await directory.byId(order.merchantId)
        return {
          ...showListed(order, merchant),
          proposal: proposal === undefined ? null : showDecision(person, proposal),
        }
      }),
    ),
  }
}

/** Returns an order that is open or was decided. */
export async function getOrder(
  { core: { db, clock, directory } }: OperatorOrderDeps,
  person: SignedIn,
  reference: string,
): Promise<Reply<typeof contract.getOperatorOrder>> {
  const order = (await findOpenOrder(db, reference)) ?? (await findDecidedOrder(db, reference))
  if (order === undefined) throw orderErrors.unknownOrder()
  const [decisions, merchant] = await Promise.all([decisionsAbout(db, order), directory.byId(order.merchantId)])
  return {
    ...showDetail(order, merchant, clock.now()),
    decisions: decisions.map((decision) => showDecision(person, decision)),
    mayConfirm: mayConfirm(person, order, decisions, clock.now()),
  }
}

/** Records an operator's decision about an order. */
export async function decideOrder({ core }: OperatorOrderDeps, reference: string, vote: Vote, by: By): Promise<void> {
  await unitOfWork(core, (unit) => decide(unit, reference, vote, by))
}

export async function queryPartner({ core }: OperatorOrderDeps, reference: string, by: By): Promise<void> {
  await unitOfWork(core, (unit) => queryByOperator(unit, reference, by))
}
