import { BALANCES } from '../../src/core/money/ledger/index.ts'
import type { Db } from '../../src/platform/postgres/db.ts'

/** Makes an account's balance exceed the sum of its moves, which no program of ours ever does. */
export const tamperWith = (db: Db, code: string, kobo: number): Promise<unknown> =>
  db`insert into balance_change (merchant_id, id, code, change)
     select merchant_id, 1, code, ${kobo} from ${BALANCES} account where code = ${code}`
