import type { Kobo } from '../../kernel/money.ts'
import type { Tx } from '../../platform/db.ts'
import { column, type Key, ofMerchants, type Row, table } from '../../platform/table.ts'

/** Money that was paid into wallets. */
const topUps = table('top_up', ['merchantId', 'railReference'], {
  merchantId: column<bigint>(),
  /** Who told of it. */
  partner: column<string>(),
  railReference: column<string>(),
  walletAccountNumber: column<string>(),
  amount: column<Kobo>(),
  payerName: column<string | null>(),
  payerAccountNumber: column<string | null>(),
  payerBankCode: column<string | null>(),
  /** The number that was paid to: the wallet's own, or that of its top-up account. */
  bankCode: column<string>(),
  accountNumber: column<string>(),
  receivedAt: column<Date>(),
})
export type TopUpRow = Row<typeof topUps>

export const insertTopUps = (tx: Tx, rows: readonly TopUpRow[]): void => topUps.insert(tx, rows)

/** Which rail references of a merchant were received before, as `merchantId/railReference`. */
export async function receivedBefore(tx: Tx, keys: readonly Key<typeof topUps>[]): Promise<ReadonlySet<string>> {
  const rows = await tx<Key<typeof topUps>[]>`
    select t.merchant_id, t.rail_reference
      from ${topUps.set(keys, ['merchantId', 'railReference'])} k
     cross join lateral (
       select merchant_id, rail_reference from top_up t
        where ${ofMerchants('t', keys)} and t.merchant_id = k.merchant_id and t.rail_reference = k.rail_reference
        limit 1) t`
  return new Set(rows.map(topUpKey))
}

export const topUpKey = ({ merchantId, railReference }: Key<typeof topUps>): string => `${merchantId}/${railReference}`

/** Forgets who paid into wallets. */
export function erasePayers(tx: Tx, merchantId: bigint, walletNumbers: readonly string[]): void {
  void tx`
    update top_up
       set payer_name = null, payer_account_number = null
     where merchant_id = ${merchantId} and wallet_account_number = any(${walletNumbers}::text[])
       and (payer_name is not null or payer_account_number is not null)`
}
