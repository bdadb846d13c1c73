import { ADAPTER } from '../../rails/partners.ts'
import { isRouted, type Router, type RoutingFacts } from '../routing/index.ts'
import type { Breaker } from './breaker.ts'
import type { OrderRow } from './order.ts'

/** Chooses partners for orders. */
export interface PartnerChoice {
  /** The partner of a new order: the first healthy candidate, or else the first. */
  readonly choose: (order: ChoosingOrder) => PartnerSlot
  /** The next healthy candidate that was not tried; undefined if there is none or the order cannot move. */
  readonly another: (order: OrderRow, tried: ReadonlySet<string>) => PartnerSlot | undefined
  /** Whether an unsent order should move: its partner is unhealthy, or a command placed it without a partner. */
  readonly shouldMove: (order: OrderRow) => boolean
}

/** The partner of an order, and its slot there. */
export type PartnerSlot = Pick<OrderRow, 'partner' | 'routingVersion' | 'slot'>

type ChoosingOrder = Pick<OrderRow, 'purpose' | 'merchantId' | 'reference' | 'slot' | 'amount' | 'partner'>

export function openPartnerChoice(router: Router, breaker: Breaker): PartnerChoice {
  const { health, hasSeveral, partners, candidates } = router
  const isHealthy = (partner: string, { operation, reference }: RoutingFacts, bare: string): boolean =>
    health.isHealthy(partner, operation, reference) && breaker.limit(slotAt(partner, bare), 1) > 0
  /** Returns the slot's name. With a single partner it has no prefix. */
  const slotAt = (partner: string, bare: string): string => (hasSeveral ? `${partner}/${bare}` : bare)
  const partnerSlot = (partner: string, routingVersion: number | null, bare: string): PartnerSlot => ({
    partner,
    routingVersion,
    slot: slotAt(partner, bare),
  })

  return {
    choose: (order) => {
      if (order.partner !== null) return partnerSlot(order.partner, null, order.slot)
      const [only] = partners.all
      if (only === undefined) return { partner: null, routingVersion: null, slot: order.slot }
      if (!hasSeveral) return partnerSlot(only.code() ?? ADAPTER, null, order.slot)
      const what = factsOf(order)
      const { partners: able, version } = candidates(what)
      const chosen = (isMovable(order) ? able.find((code) => isHealthy(code, what, order.slot)) : undefined) ?? able[0]
      // If no partner can do it, the order goes to the first one, which rejects it.
      return partnerSlot(chosen ?? only.code() ?? ADAPTER, version, order.slot)
    },
    another: (order, tried) => {
      if (!isMovable(order)) return undefined
      const what = factsOf(order)
      const bare = bareSlot(order)
      const { partners: able, version } = candidates(what)
      const chosen = able.find((code) => !tried.has(code) && isHealthy(code, what, bare))
      return chosen === undefined ? undefined : partnerSlot(chosen, version, bare)
    },
    shouldMove: (order) =>
      hasSeveral && (order.partner === null || !isHealthy(order.partner, factsOf(order), bareSlot(order))),
  }
}

/** Returns the slot without the partner's prefix. */
function bareSlot({ slot, partner }: Pick<OrderRow, 'slot' | 'partner'>): string {
  const before = `${partner}/`
  return slot.startsWith(before) ? slot.slice(before.length) : slot
}

/**
 * Only routed operations except bills can move to another partner. A bill belongs to one biller's catalogue. A refund
 * is not routed, because it goes back where the payment came from.
 */
const isMovable = (order: ChoosingOrder): boolean => {
  const { operation } = factsOf(order)
  return isRouted(operation) && operation !== 'biller/vend'
}

/** Returns the operation and destination bank of an order, read from its slot. */
export function factsOf(order: ChoosingOrder): RoutingFacts {
  const [kind, bank = null] = bareSlot(order).split('/')
  const { merchantId, reference, amount } = order
  const facts = { merchantId, reference, amount, destinationBank: null }
  switch (kind) {
    case 'transfer':
      return { ...facts, operation: 'transfer/send', destinationBank: bank }
    case 'debit':
      return { ...facts, operation: 'debit/debit', destinationBank: bank }
    case 'vend':
      return { ...facts, operation: 'biller/vend' }
    case 'account':
      return { ...facts, operation: 'account/open', destinationBank: bank }
    case 'send-back':
      return { ...facts, operation: 'account/send-back' }
    default:
      return { ...facts, operation: order.purpose === 'card-charge' ? 'card/charge' : 'card/refund' }
  }
}
