import * as contract from '@kobo/contract'
import type { Core } from '../../core/core.ts'
import type { Serve } from '../../core/edge/http/index.ts'
import { slashed } from '../../kernel/dates.ts'
import { findCustomers } from './service.ts'

export function customerRoutes(serve: Serve, { db, readDb }: Core): void {
  serve(contract.listCustomers, async ({ query: { search, before, size } }, { merchant }) => {
    // The first page has the latest rows, which a replica may not have yet.
    const { rows, next, searchedBackTo } = await findCustomers(
      before === undefined ? db : readDb,
      merchant.id,
      search,
      { before: before === undefined ? undefined : BigInt(before), size: size ?? contract.LIST_SIZE_DEFAULT },
    )
    return {
      customers: rows.map(({ customerEmail, customerName, lastRecord, lastActivityAt }) => ({
        customerEmail,
        customerName,
        lastRecord,
        lastActivityOn: slashed(lastActivityAt),
      })),
      next: next === undefined ? null : String(next),
      searchedBackTo: searchedBackTo === undefined ? null : slashed(searchedBackTo),
    }
  })
}
