import * as contract from '@kobo/contract'
import type { Core } from '../../core/core.ts'
import type { Serve } from '../../core/edge/http/index.ts'
import { naira } from '../../kernel/money.ts'
import { showTransaction, transactionReads } from '../transactions/index.ts'
import { collectCash } from './service.ts'

/** Serves the sandbox's agent, who collects cash for merchants. */
export function cashCollectionRoutes(serve: Serve, { core }: { readonly core: Core }): void {
  const readStatus = transactionReads.statusReader(core.db)
  serve(contract.collectCash, async ({ body }, { merchant }) => {
    const reference = await collectCash(core, merchant, { ...body, amount: naira(body.amount) })
    return showTransaction.status(await transactionReads.status(readStatus, merchant.id, reference))
  })
}
