import type { getTransactionStory, Reply } from '@kobo/contract'

/** The story of a transaction, as the gateway tells it. */
export type Told = Reply<typeof getTransactionStory>
