import * as contract from '@kobo/contract'
import type { Serve } from '../../core/edge/http/index.ts'
import type { Db } from '../../platform/db.ts'
import { showPage } from '../../platform/pages.ts'
import { showStatus } from '../transactions/index.ts'
import { selectSettlements } from './repository.ts'
import * as settlements from './service.ts'
import { showDetail, showSettlement } from './show.ts'

/** Settlements: when what was collected became the merchant's. */
export function settlementRoutes(serve: Serve, { db }: { readonly db: Db }): void {
  serve(contract.listSettlements, async ({ query }, { merchant }) => {
    const found = await selectSettlements(db, merchant.id, query)
    return showPage(found, showSettlement)
  })

  serve(contract.findSettledTransactions, async ({ query }, { merchant }) => {
    const found = await settlements.findSettled(db, merchant.id, query.reference, query)
    return showPage(found, showStatus)
  })

  serve(contract.getSettlementDetail, async ({ query }, { merchant }) =>
    showDetail(await settlements.getDetail(db, merchant.id, query.transactionReference), merchant),
  )
}
