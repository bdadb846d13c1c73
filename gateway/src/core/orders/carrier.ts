import type { Log } from '../../platform/log.ts'
import { absentRails } from '../../rails/absent.ts'
import type { Rails } from '../../rails/index.ts'
import { isNotSent, type NotSent, type PartnerRails } from '../../rails/not-sent.ts'
import type { ConnectedPartner } from '../../rails/partners.ts'
import type { Unknown } from '../../rails/unknown.ts'
import type { Core } from '../core.ts'
import type { Router } from '../routing/index.ts'
import { unitOfWork } from '../unit-of-work.ts'
import type { Breaker } from './breaker.ts'
import type { OrderRow } from './order.ts'
import { moveOrders } from './repository.ts'
import { factsOf, type Way, type Ways } from './ways.ts'

interface Deps {
  readonly core: Core
  readonly log: Log
  readonly router: Router
  readonly ways: Ways
  readonly breaker: Breaker
  readonly leaseSeconds: number
}

/** Carries one order to its partner, and to another where nothing was sent. */
export interface Carrier {
  /** The rails of whoever has the order. What is sent by them goes on to others while each says that nothing was sent. */
  readonly rails: Rails
  /** The order as it is now: another partner may have it. */
  readonly order: () => OrderRow
}

/** Sends by the rails of a partner; answers how a no looks, where nobody was left to ask. */
type Send = <Outcome extends { readonly kind: string }>(
  call: (rails: PartnerRails) => Promise<Outcome | NotSent>,
  failed: (reason: string) => Outcome,
) => Promise<Outcome | Unknown>

/** The rails as features know them: where nothing was sent, it has failed without a doubt. */
const railsBy = (rails: PartnerRails, send: Send): Rails => ({
  ...rails,
  account: {
    ...rails.account,
    open: (request) =>
      send(
        ({ account }) => account.open(request),
        (reason) => ({ kind: 'refused', reason }),
      ),
  },
  biller: {
    ...rails.biller,
    vend: (request) => send(({ biller }) => biller.vend(request), failed),
  },
  card: {
    ...rails.card,
    charge: (request) =>
      send(
        ({ card }) => card.charge(request),
        (reason) => ({ kind: 'declined', reason }),
      ),
    refund: (request) =>
      send(
        ({ card }) => card.refund(request),
        (reason) => ({ kind: 'refused', reason }),
      ),
  },
  debit: {
    ...rails.debit,
    debit: (request) =>
      send(
        ({ debit }) => debit.debit(request),
        (reason) => ({ kind: 'declined', reason, isStopped: false }),
      ),
  },
  returns: {
    ...rails.returns,
    send: (request) => send(({ returns }) => returns.send(request), failed),
  },
  transfer: {
    ...rails.transfer,
    send: (request) => send(({ transfer }) => transfer.send(request), failed),
  },
})

/** Nothing can be sent to who is not there; who was chosen before may be there again. */
const notConnected = (partner: string): NotSent => ({
  kind: 'not sent',
  reason: `The partner ${partner} is not connected`,
  unanswered: true,
})

const failed = (reason: string) => ({ kind: 'failed', reason }) as const

/** The rails of whoever has an order, which is told with all that is asked. */
const railsOf = (partner: ConnectedPartner | undefined, { id, createdAt }: OrderRow): PartnerRails =>
  partner?.railsFor?.({ sequence: String(id), placedAt: createdAt }) ?? partner?.rails ?? absentRails

export async function openCarrier(deps: Deps, placed: OrderRow): Promise<Carrier> {
  const { router, ways, breaker, log } = deps
  let order = placed

  /** Writes down who has the order now, before that one is asked; false where somebody else has taken it. */
  async function goTo(way: Way): Promise<boolean> {
    const next = { ...order, ...way }
    const moved = await unitOfWork(deps.core, ({ tx }) => moveOrders(tx, [next], deps.leaseSeconds))
    if (moved.length === 0) return false
    log.info({ reference: order.reference, from: order.partner, to: next.partner }, 'an order goes to another partner')
    order = next
    return true
  }

  const send: Send = async (call, noted) => {
    const tried = new Set<string>()
    // Nothing of it was sent, under this reference or one before.
    const better = order.tries === 1 && ways.isUnwell(order) ? ways.another(order, tried) : undefined
    if (better !== undefined && !(await goTo(better))) return { kind: 'unknown' }
    for (;;) {
      const partner = await router.partners.of(order.partner)
      const said =
        partner === undefined && order.partner !== null
          ? notConnected(order.partner)
          : await call(railsOf(partner, order))
      const isAnswered = !('unanswered' in said && said.unanswered === true)
      router.health.note(order.partner ?? '', factsOf(order).operation, isAnswered ? said.kind : 'none')
      if (!isNotSent(said)) return said
      tried.add(order.partner ?? '')
      const next = ways.another(order, tried)
      if (next === undefined) return isAnswered ? noted(said.reason) : { kind: 'unknown', unanswered: true }
      breaker.note(order.slot, isAnswered)
      if (!(await goTo(next))) return { kind: 'unknown' }
    }
  }

  const partner = await router.partners.of(order.partner)
  return { rails: railsBy(railsOf(partner, order), send), order: () => order }
}
