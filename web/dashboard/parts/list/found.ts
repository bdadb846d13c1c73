import type { Reply, search } from '@kobo/contract'

export type Found = Reply<typeof search>['found'][number]

const SCREENS: Readonly<Record<Exclude<Found['kind'], 'transaction' | 'customer' | 'wallet'>, string>> = {
  transfer: 'transfers',
  batch: 'batches',
  refund: 'refunds',
  settlement: 'settlements',
  'reserved-account': 'reserved-accounts',
  mandate: 'mandates',
  paycode: 'paycodes',
  bill: 'bills',
  dispute: 'disputes',
  'payment-link': 'payment-links',
  'sub-account': 'sub-accounts',
  'limit-profile': 'limit-profiles',
  event: 'events',
  request: 'requests',
}

/** The page of a search result. The page of a wallet is its statement. */
export const foundUrl = ({ kind, reference, id }: Found): string =>
  kind === 'wallet'
    ? `/dashboard/statement?accountNumber=${reference}`
    : kind === 'transaction' || kind === 'customer'
      ? `/dashboard/${kind}s/${encodeURIComponent(reference)}`
      : `/dashboard/${SCREENS[kind]}/${id}`
