import type { getTransactionTimeline, Reply } from '@kobo/contract'

/** A transaction with its timeline, payments, refunds, events and ledger entries. */
export type TimelineData = Reply<typeof getTransactionTimeline>
