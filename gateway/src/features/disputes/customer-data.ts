import { idList, type TransactionCustomerData } from '../../core/erasure/index.ts'

/** Evidence about customers that merchants sent for disputes. */
export const disputeCustomerData: TransactionCustomerData = {
  name: 'disputes',
  findOpen: async (db, merchantId, transactionIds) => {
    const rows = await db<{ reference: string }[]>`
      select reference
        from dispute
       where merchant_id = ${merchantId} and transaction_id = any(${idList(transactionIds)}::bigint[]) and ended_at is null`
    return rows.map(({ reference }) => reference)
  },
  erase: async ({ tx }, { merchantId, pseudonym: { text } }, transactionIds) => {
    void tx`
      delete from dispute_file f
       using dispute d
       where d.merchant_id = ${merchantId} and d.transaction_id = any(${idList(transactionIds)}::bigint[])
         and f.merchant_id = d.merchant_id and f.dispute_id = d.id`
    void tx`
      update dispute
         set reason = ${text}, comment = case when comment is not null then ${text} end,
             evidence = case when evidence is not null then ${text} end
       where merchant_id = ${merchantId} and transaction_id = any(${idList(transactionIds)}::bigint[])`
  },
}
