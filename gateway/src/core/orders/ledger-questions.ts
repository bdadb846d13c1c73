import type { Fragment } from '../../platform/sql.ts'
import { sql } from '../../platform/sql.ts'
import { type LedgerQuestion, WRONG_SHOWN_MAX } from '../money/ledger/index.ts'

/** What open orders hold, by the account that has it meanwhile. */
const HELD_BY_ORDERS = sql`
  select merchant_id, account as code, held
    from rail_order
   where account is not null and state <> 'CONCLUDED' and concluded_at is null`

/** Money in flight is what open orders hold, and what features hold otherwise, to the kobo: account by account. */
export const inFlightIsWhatIsUnderWay =
  (heldOtherwise: Fragment): LedgerQuestion =>
  async (tx) => {
    const rows = await tx<{ merchantId: bigint; code: string; balance: string; held: string }[]>`
      select merchant_id, code, coalesce(balance, 0)::text as balance, coalesce(held, 0)::text as held
        from (select merchant_id, code, balance from account where code like 'in-flight/%') a
        full join (select merchant_id, code, sum(held) as held
                     from (${HELD_BY_ORDERS} union all ${heldOtherwise}) parts
                    group by merchant_id, code) under_way using (merchant_id, code)
       where coalesce(balance, 0) <> coalesce(held, 0)
       limit ${WRONG_SHOWN_MAX}`
    return rows.map(
      ({ code, merchantId, balance, held }) =>
        `account ${code} of merchant ${merchantId} holds ${balance}, what is under way holds ${held}`,
    )
  }
