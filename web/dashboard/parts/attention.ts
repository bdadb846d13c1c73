import type { getNotifications, Reply } from '@kobo/contract'

export type AttentionItem = Reply<typeof getNotifications>['items'][number]

/** "1 payment", "2 payments". */
export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`

/** The text of each item that needs attention, and the screen that it leads to. */
export const ATTENTION: Readonly<
  Record<AttentionItem['what'], { readonly text: (count: number) => string; readonly href: string }>
> = {
  EVENTS_GIVEN_UP: {
    text: (count) => `${counted(count, 'event')} could not be delivered in the last day`,
    href: 'events?status=GIVEN_UP',
  },
  RECEIVER_PAUSED: { text: (count) => `${counted(count, 'webhook URL')} paused`, href: 'webhooks' },
  TRANSFERS_TO_AUTHORIZE: { text: (count) => `${counted(count, 'payout')} waiting for approval`, href: 'approvals' },
  DISPUTES_OPEN: { text: (count) => `${counted(count, 'open dispute')}`, href: 'disputes?status=OPEN' },
  ORDERS_UNRESOLVED: {
    text: (count) => `${counted(count, 'bank request')} without a result yet`,
    href: 'transfers?status=PENDING',
  },
  PAYOUTS_FAILED: {
    text: (count) => `${counted(count, 'settlement')} could not be paid to your bank`,
    href: 'settlements?status=PENDING',
  },
  LOW_BALANCE: { text: () => 'Wallet balance is below your alert level', href: 'statement' },
}
