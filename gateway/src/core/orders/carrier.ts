import { monotonic } from '../../kernel/clock.ts'
import type { Log } from '../../platform/observability/log.ts'
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
import { factsOf, type PartnerChoice, type PartnerSlot } from './partner-choice.ts'
import { moveOrders } from './repository.ts'

interface Deps {
  readonly core: Core
  readonly log: Log
  readonly router: Router
  readonly partnerChoice: PartnerChoice
  readonly breaker: Breaker
  readonly leaseSeconds: number
}

/** Sends an order to its partner, or to another partner if nothing was sent. */
export interface Carrier {
  /**
   * The rails of the current partner. A send moves on to the next partner as long as each one reports that nothing was
   * sent.
   */
  readonly rails: Rails
  /** The order as it is now; its partner may have changed. */
  readonly order: () => OrderRow
}

/** Sends through a partner's rails. `failed` builds the outcome if no partner could send it. */
type Send = <Outcome extends { readonly kind: string }>(
  call: (rails: PartnerRails) => Promise<Outcome | NotSent>,
  failed: (reason: string) => Outcome,
) => Promise<Outcome | Unknown>

/** Builds the rails as features see them: if nothing was sent, the outcome is a certain failure. */
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

/** Builds the outcome if the partner is not connected: nothing was sent. The partner may be connected again later. */
const notConnected = (partner: string): NotSent => ({
  kind: 'not sent',
  reason: `The partner ${partner} is not connected`,
  unanswered: true,
})

/** A lease older than this is renewed before anything is sent under it. */
const LEASE_FRESH_MILLISECONDS = 20_000

const failed = (reason: string) => ({ kind: 'failed', reason }) as const

/** Returns the partner's rails for an order. They put the order's sequence and time into every request. */
const railsOf = (partner: ConnectedPartner | undefined, { id, createdAt }: OrderRow): PartnerRails =>
  partner?.railsFor?.({ sequence: String(id), placedAt: createdAt }) ?? partner?.rails ?? absentRails

export async function openCarrier(deps: Deps, placed: OrderRow): Promise<Carrier> {
  const { router, partnerChoice, breaker, log } = deps
  let order = placed

  /** Stores the order's partner and renews its lease; false if another process has leased it. */
  async function store(next: OrderRow): Promise<boolean> {
    const leaseBegan = monotonic()
    const stored = await unitOfWork(deps.core, ({ tx }) => moveOrders(tx, [next], deps.leaseSeconds))
    if (stored.length === 0) return false
    order = { ...next, leaseBegan }
    return true
  }

  /** Stores the new partner before contacting it; false if another process has leased the order. */
  async function moveTo(next: PartnerSlot): Promise<boolean> {
    const { reference, partner: from } = order
    if (!(await store({ ...order, ...next }))) return false
    log.info({ reference, from, to: next.partner }, 'order moved to another partner')
    return true
  }

  /** Renews our lease if a name enquiry or a slow database has used up much of it; false if we have lost the lease. */
  const keepLease = async (): Promise<boolean> =>
    monotonic() - (order.leaseBegan ?? Number.NEGATIVE_INFINITY) < LEASE_FRESH_MILLISECONDS || store(order)

  const send: Send = async (call, failedWith) => {
    const tried = new Set<string>()
    // On the first try nothing was sent yet, so the order may move to a healthy partner.
    const mayMove = order.tries === 1 && partnerChoice.shouldMove(order)
    const better = mayMove ? partnerChoice.another(order, tried) : undefined
    if (better !== undefined && !(await moveTo(better))) return { kind: 'unknown' }
    for (;;) {
      const partner = await router.partners.of(order.partner)
      if (!(await keepLease())) return { kind: 'unknown' }
      const response =
        partner === undefined && order.partner !== null
          ? notConnected(order.partner)
          : await call(railsOf(partner, order))
      const hasResponse = !('unanswered' in response && response.unanswered === true)
      router.health.note(order.partner ?? '', factsOf(order).operation, hasResponse ? response.kind : 'none')
      if (!isNotSent(response)) return response
      tried.add(order.partner ?? '')
      const next = partnerChoice.another(order, tried)
      if (next === undefined) return hasResponse ? failedWith(response.reason) : { kind: 'unknown', unanswered: true }
      breaker.note(order.slot, hasResponse)
      if (!(await moveTo(next))) return { kind: 'unknown' }
    }
  }

  const partner = await router.partners.of(order.partner)
  return { rails: railsBy(railsOf(partner, order), send), order: () => order }
}
