import { ERASED_CARD, idList, type TransactionCustomerData } from '../../core/erasure/index.ts'

const CARD = JSON.stringify(ERASED_CARD)

/** The cards that customers paid with, or attempted to. */
export const cardCustomerData: TransactionCustomerData = {
  name: 'card charges',
  findOpen: async (db, merchantId, transactionIds) => {
    const rows = await db<{ reference: string }[]>`
      select reference
        from card_attempt
       where merchant_id = ${merchantId} and transaction_id = any(${idList(transactionIds)}::bigint[])
         and status in ('CHARGING', 'AUTHORIZING', 'UNKNOWN', 'REVERSING')`
    return rows.map(({ reference }) => reference)
  },
  erase: async ({ tx }, { merchantId }, transactionIds) => {
    void tx`
      update card_attempt
         set card = (card::jsonb || ${CARD}::jsonb)::json, fingerprint = 'erased', card_token = null, held_number = null
       where merchant_id = ${merchantId} and transaction_id = any(${idList(transactionIds)}::bigint[])`
  },
}
