import * as contract from '@kobo/contract'
import { LOG_SIZE_DEFAULT, LOG_SIZE_MAX } from '@kobo/contract'
import type { Core } from '../../core/core.ts'
import type { Serve } from '../../core/edge/http/index.ts'
import { findRequest, selectRequests } from '../../core/edge/request-recorder/index.ts'
import { ID_MAX } from '../../kernel/ids.ts'
import { requestLogErrors } from './errors.ts'
import { showRequest } from './show.ts'

export function requestLogRoutes(serve: Serve, { db }: Core): void {
  serve(contract.listMerchantRequests, async ({ query }, { merchant }) => {
    const { before, size = LOG_SIZE_DEFAULT, outcome, route, reference } = query
    const filter = { statuses: outcome === undefined ? undefined : [outcome], route, reference }
    const place = {
      before: before === undefined ? undefined : BigInt(before),
      size: Math.min(size, LOG_SIZE_MAX),
    }
    const { rows, next } = await selectRequests(db, merchant.id, filter, place)
    return { content: rows.map(showRequest), next: next === undefined ? null : String(next) }
  })

  serve(contract.getMerchantRequest, async ({ params }, { merchant }) => {
    const id = BigInt(params.id)
    const row = id > ID_MAX ? undefined : await findRequest(db, merchant.id, id)
    if (row === undefined) throw requestLogErrors.unknownRequest()
    return showRequest(row)
  })
}
