import type { getMerchantRequest, Reply } from '@kobo/contract'
import type { RequestRow } from '../../core/edge/request-recorder/index.ts'
import { zoned } from '../../kernel/dates.ts'

/** Shows a logged request to the merchant that sent it. */
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
