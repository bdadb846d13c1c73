import type { Kobo } from '../../kernel/money.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import { column, type Key, ofMerchants, type Row, table } from '../../platform/postgres/table.ts'

/** Payments into wallets. */
const topUps = table('top_up', ['merchantId', 'railReference'], {
  merchantId: column<bigint>(),
  /** The partner that reported it. */
  partner: column<string>(),
  railReference: column<string>(),
  walletAccountNumber: column<string>(),
  amount: column<Kobo>(),
  payerName: column<string | null>(),
  payerAccountNumber: column<string | null>(),
  payerBankCode: column<string | null>(),
  /** The account paid into: the wallet's own number, or its top-up account. */
  bankCode: column<string>(),
  accountNumber: column<string>(),
  receivedAt: column<Date>(),
})
export type TopUpRow = Row<typeof topUps>

export const insertTopUps = (tx: Tx, rows: readonly TopUpRow[]): void => topUps.insert(tx, rows)

/** Finds which of these top-ups are already stored, as `merchantId/railReference`. */
export async function selectKnownTopUps(tx: Tx, keys: readonly Key<typeof topUps>[]): Promise<ReadonlySet<string>> {
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

/** Erases the names and account numbers of those who paid into wallets. */
export function erasePayers(tx: Tx, merchantId: bigint, walletNumbers: readonly string[]): void {
  void tx`
    update top_up
       set payer_name = null, payer_account_number = null
     where merchant_id = ${merchantId} and wallet_account_number = any(${walletNumbers}::text[])
       and (payer_name is not null or payer_account_number is not null)`
}
