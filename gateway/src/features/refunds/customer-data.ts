import { idList, type TransactionCustomerData } from '../../core/erasure/index.ts'

/** The accounts that customers were refunded to, and the notes for them. */
export const refundCustomerData: TransactionCustomerData = {
  name: 'refunds',
  findOpen: async (db, merchantId, transactionIds) => {
    const rows = await db<{ refundReference: string }[]>`
      select refund_reference
        from refund
       where merchant_id = ${merchantId} and transaction_id = any(${idList(transactionIds)}::bigint[]) and status = 'PENDING'`
    return rows.map(({ refundReference }) => refundReference)
  },
  erase: async ({ tx }, { merchantId, pseudonym: { name, accountNumber, text } }, transactionIds) => {
    void tx`
      update refund
         set destination_account_name = case when destination_account_name is not null then ${name} end,
             destination_account_number = case when destination_account_number is not null then ${accountNumber} end,
             refund_reason = ${text}, customer_note = ${text}
       where merchant_id = ${merchantId} and transaction_id = any(${idList(transactionIds)}::bigint[])
         and status <> 'PENDING'`
    void tx`
      update refund_part p
         set destination_account_name = case when p.destination_account_name is not null then ${name} end,
             destination_account_number = case when p.destination_account_number is not null then ${accountNumber} end
        from refund r
       where r.merchant_id = ${merchantId} and r.transaction_id = any(${idList(transactionIds)}::bigint[])
         and r.status <> 'PENDING' and p.merchant_id = r.merchant_id and p.refund_id = r.id`
  },
}
