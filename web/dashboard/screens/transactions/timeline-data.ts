import type { getTransactionTimeline, Reply } from '@kobo/contract'

/** The status that a person looks for: a refunded payment is no longer just paid. */
export const statusOf = ({ status, amountPaid, amountRefunded }: TimelineData['transaction']): string =>
  amountRefunded === 0 ? status : amountRefunded < amountPaid ? 'PARTIALLY_REFUNDED' : 'REFUNDED'

/** A transaction with its timeline, payments, refunds, events and ledger entries. */
export type TimelineData = Reply<typeof getTransactionTimeline>
