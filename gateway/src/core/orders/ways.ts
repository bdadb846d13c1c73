import { ADAPTER } from '../../rails/partners.ts'
import { isRouted, type Router, type ToRoute } from '../routing/index.ts'
import type { Breaker } from './breaker.ts'
import type { OrderRow } from './order.ts'

/** What is needed to choose a partner for an order. */
export interface Ways {
  /** Who is to carry out a new order: the first that is well of those who may, or else the first. */
  readonly choose: (order: ChoosingOrder) => Way
  /** Who else may: the first that is well and was not tried; undefined where there is nobody, or nobody else can. */
  readonly another: (order: OrderRow, tried: ReadonlySet<string>) => Way | undefined
  /** Whether an order that has not been sent yet had better go to somebody else. */
  readonly isUnwell: (order: OrderRow) => boolean
}

/** Who carries an order out, and the slot that it waits in there. */
export type Way = Pick<OrderRow, 'partner' | 'routingVersion' | 'slot'>

type ChoosingOrder = Pick<OrderRow, 'purpose' | 'merchantId' | 'reference' | 'slot' | 'amount' | 'partner'>

export function openWays(router: Router, breaker: Breaker): Ways {
  const { health, hasSeveral, partners, candidates } = router
  const isWell = (partner: string, { operation, reference }: ToRoute, bare: string): boolean =>
    health.isWell(partner, operation, reference) && breaker.limit(slotAt(partner, bare), 1) > 0
  /** With one partner slots have the names that they always had. */
  const slotAt = (partner: string, bare: string): string => (hasSeveral ? `${partner}/${bare}` : bare)
  const way = (partner: string, routingVersion: number | null, bare: string): Way => ({
    partner,
    routingVersion,
    slot: slotAt(partner, bare),
  })

  return {
    choose: (order) => {
      if (order.partner !== null) return way(order.partner, null, order.slot)
      const [only] = partners.all
      if (only === undefined) return { partner: null, routingVersion: null, slot: order.slot }
      if (!hasSeveral) return way(only.code() ?? ADAPTER, null, order.slot)
      const what = factsOf(order)
      const { partners: able, version } = candidates(what)
      const chosen = (isMovable(order) ? able.find((code) => isWell(code, what, order.slot)) : undefined) ?? able[0]
      // Where nobody can, somebody has to say so.
      return way(chosen ?? only.code() ?? ADAPTER, version, order.slot)
    },
    another: (order, tried) => {
      if (!isMovable(order)) return undefined
      const what = factsOf(order)
      const bare = bareSlot(order)
      const { partners: able, version } = candidates(what)
      const chosen = able.find((code) => !tried.has(code) && isWell(code, what, bare))
      return chosen === undefined ? undefined : way(chosen, version, bare)
    },
    isUnwell: (order) => hasSeveral && !isWell(order.partner ?? '', factsOf(order), bareSlot(order)),
  }
}

/** The slot without the partner whose it is. */
function bareSlot({ slot, partner }: Pick<OrderRow, 'slot' | 'partner'>): string {
  const before = `${partner}/`
  return slot.startsWith(before) ? slot.slice(before.length) : slot
}

/** What is sold is of one seller's catalogue, and what goes back goes where it came from. */
const isMovable = (order: ChoosingOrder): boolean => {
  const { operation } = factsOf(order)
  return isRouted(operation) && operation !== 'biller/vend'
}

/** What an order asks for, and of which bank: its slot tells. */
export function factsOf(order: ChoosingOrder): ToRoute {
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
