import type { getOneMerchant, Reply } from '@kobo/contract'
import type { Address } from '@kobo/contract/client'

export const ONE: Address<typeof getOneMerchant> = { method: 'GET', path: '/dashboard/api/operator/merchants/:code' }

/** A merchant as the operator sees it. */
export type Merchant = Reply<typeof getOneMerchant>
export type Contract = Merchant['contracts'][number]
