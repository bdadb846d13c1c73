import { ERASED_CARD, idList, type TracesOfTransactions } from '../../core/people/index.ts'

const CARD = JSON.stringify(ERASED_CARD)

/** With which cards people paid, or tried to. */
export const cardTraces: TracesOfTransactions = {
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
