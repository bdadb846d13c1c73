import type { getTransactionTimeline, Reply } from '@kobo/contract'

/** The status to show: a refunded payment shows as refunded, not as paid. */
export const statusOf = ({ status, amountPaid, amountRefunded }: TimelineData['transaction']): string =>
  amountRefunded === 0 ? status : amountRefunded < amountPaid ? 'PARTIALLY_REFUNDED' : 'REFUNDED'

/** A transaction with its timeline, payments, refunds, events and ledger entries. */
export type TimelineData = Reply<typeof getTransactionTimeline>
