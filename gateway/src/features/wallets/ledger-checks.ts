import {
  FINDINGS_SHOWN_MAX,
  type Finding,
  type JournalKey,
  movesOf,
  NOTHING,
  type RowCheck,
  withoutRows,
} from '../../core/money/ledger/index.ts'
import { momentOfId } from '../../kernel/ids.ts'
import { rowSet, type Tx } from '../../platform/postgres/db.ts'
import { ofMerchants, scopeOf } from '../../platform/postgres/table.ts'
import { selectKnownTopUps, topUpKey } from './repository.ts'

/** Checks that top-ups are posted. Their only key is the bank's reference, so one query checks all new ones. */
const topUps: RowCheck = {
  name: 'top-up',
  run: async (tx, ranges) => {
    const since = ranges.map(({ merchantId, after }) => ({ merchantId, receivedAt: momentOfId(after) }))
    const rows = await tx<{ merchantId: bigint; railReference: string; amount: bigint }[]>`
      select t.merchant_id, t.rail_reference, t.amount
        from json_to_recordset(${rowSet(since)}::text::json) as k (merchant_id bigint, received_at timestamptz)
        join top_up t on ${ofMerchants('t', ranges)} and t.merchant_id = k.merchant_id and t.received_at >= k.received_at
       where not exists (
         select from journal j
          cross join ${movesOf('j', scopeOf(ranges))} m
          where ${ofMerchants('j', ranges)} and j.merchant_id = t.merchant_id and j.key = 'top-up/' || t.rail_reference
            and m.source in ('clearing/bank-transfer', 'clearing/bank-transfer/' || t.partner)
            and m.target = 'wallet/' || t.wallet_account_number and m.amount = t.amount)
       limit ${FINDINGS_SHOWN_MAX}`
    const findings = rows.map(
      ({ merchantId, railReference, amount }): Finding => ({
        merchantId,
        reference: railReference,
        what: `top-up of ${amount} exists, but journal top-up/${railReference} with its amount is missing`,
      }),
    )
    return { ...NOTHING, findings }
  },
  owned: [
    { prefix: 'top-up/', find: findTopUps },
    // Journals of the sandbox's test money, which have no rows.
    withoutRows('funding/'),
    withoutRows('opening'),
  ],
}

async function findTopUps(tx: Tx, journals: readonly JournalKey[]): Promise<readonly JournalKey[]> {
  const named = journals.map(({ merchantId, key }) => ({ merchantId, key, railReference: key.slice('top-up/'.length) }))
  const known = await selectKnownTopUps(tx, named)
  return named.filter((one) => known.has(topUpKey(one)))
}

export const topUpChecks: readonly RowCheck[] = [topUps]
