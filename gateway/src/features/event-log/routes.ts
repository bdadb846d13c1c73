import * as contract from '@kobo/contract'
import { LOG_SIZE_DEFAULT, LOG_SIZE_MAX } from '@kobo/contract'
import type { Core } from '../../core/core.ts'
import type { Serve } from '../../core/edge/http/index.ts'
import type { SharedLimit } from '../../core/security/limits.ts'
import { rejectIfLimited } from '../../platform/http/server.ts'
import {
  listEventsBefore,
  resendEvent,
  resendEvents,
  resendEventTo,
  sendTest,
  sendTestTo,
  showEvent,
} from './service.ts'

export interface EventLogDeps {
  readonly core: Core
  readonly resends: SharedLimit
  /** Limits how often a merchant sends test events. */
  readonly tests: SharedLimit
}

export function eventLogRoutes(serve: Serve, { core, resends, tests }: EventLogDeps): void {
  serve(contract.listMerchantEvents, ({ query }, { merchant }) =>
    listEventsBefore(
      core.db,
      merchant.id,
      query,
      query.before,
      Math.min(query.size ?? LOG_SIZE_DEFAULT, LOG_SIZE_MAX),
      query.endpointId,
    ),
  )

  serve(contract.getMerchantEvent, ({ params }, { merchant }) => showEvent(core.db, merchant.id, params.id))

  serve(contract.resendMerchantEvent, ({ params }, { merchant, by }) => resendEvent(core, merchant.id, params.id, by))

  serve(contract.resendMerchantEventTo, ({ params }, { merchant, by }) =>
    resendEventTo(core, merchant.id, params.id, params.endpointId, by),
  )

  serve(contract.sendTestEvent, async ({ body }, { merchant, by }) => {
    rejectIfLimited(await tests.count(String(merchant.id), by.address))
    return body.endpointId == null
      ? sendTest(core, merchant.id, body.kind ?? 'collection', by)
      : sendTestTo(core, merchant.id, body.endpointId, by)
  })

  serve(contract.resendMerchantEvents, async ({ body }, { merchant, by }) => {
    rejectIfLimited(await resends.count(String(merchant.id), by.address))
    return { count: await resendEvents(core, merchant.id, body, by) }
  })
}
