import type { getMerchantRequest, Reply } from '@kobo/contract'
import type { RequestRow } from '../../core/edge/request-log/index.ts'
import { zoned } from '../../kernel/dates.ts'

/** A request as the merchant's own API tells of it. */
export const showRequest = ({
  id,
  at,
  merchantId: _,
  microseconds,
  ...row
}: RequestRow): Reply<typeof getMerchantRequest> => ({
  id: String(id),
  at: zoned(at),
  ...row,
  milliseconds: microseconds / 1_000,
})
