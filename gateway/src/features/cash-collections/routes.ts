import * as contract from '@kobo/contract'
import type { Serve } from '../../core/http/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { IdSource } from '../../kernel/ids.ts'
import { naira } from '../../kernel/money.ts'
import type { Db } from '../../platform/db.ts'
import { getTransaction, showStatus } from '../transactions/index.ts'
import { collectCash } from './service.ts'

interface Deps {
  readonly db: Db
  readonly clock: Clock
  readonly ids: IdSource
  readonly pokeDelivery: () => void
}

/** The sandbox's agent, who takes cash for merchants. */
export function cashCollectionRoutes(serve: Serve, deps: Deps): void {
  serve(contract.collectCash, async ({ body }, { merchant }) => {
    const reference = await collectCash(deps, merchant, { ...body, amount: naira(body.amount) })
    return showStatus(await getTransaction(deps.db, merchant.id, reference))
  })
}
