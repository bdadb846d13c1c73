import * as contract from '@kobo/contract'
import type { Serve } from '../../core/edge/http/index.ts'
import type { Db } from '../../platform/postgres/db.ts'
import { showPage } from '../../platform/postgres/pagination.ts'
import { showTransaction } from '../transactions/index.ts'
import { selectSettlements } from './repository.ts'
import * as settlements from './service.ts'
import { showDetail, showSettlement } from './show.ts'

/** Lists settlements and their transactions. */
export function settlementRoutes(serve: Serve, { db }: { readonly db: Db }): void {
  serve(contract.listSettlements, async ({ query }, { merchant }) => {
    const found = await selectSettlements(db, merchant.id, query)
    return showPage(found, showSettlement)
  })

  serve(contract.findSettledTransactions, async ({ query }, { merchant }) => {
    const found = await settlements.findSettled(db, merchant.id, query.reference, query)
    return showPage(found, showTransaction.status)
  })

  serve(contract.getSettlementDetail, async ({ query }, { merchant }) =>
    showDetail(await settlements.getDetail(db, merchant.id, query.transactionReference), merchant),
  )
}
