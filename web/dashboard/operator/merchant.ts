import type { getOneMerchant, Reply } from '@kobo/contract'

/** A merchant as the operator sees it. */
export type Merchant = Reply<typeof getOneMerchant>
export type Contract = Merchant['contracts'][number]
