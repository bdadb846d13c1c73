import { idList, type TransactionCustomerData } from '../../core/erasure/index.ts'

/** The account names and items of invoices, which contain the merchant's description of the debt. */
export const invoiceCustomerData: TransactionCustomerData = {
  name: 'invoices',
  findOpen: async () => [], // the transaction of an open invoice is reported as open
  erase: async ({ tx }, { merchantId, pseudonym: { text } }, transactionIds) => {
    void tx`
      update invoice
         set account_name = case when account_name is not null then ${text} end, items = null
       where merchant_id = ${merchantId} and transaction_id = any(${idList(transactionIds)}::bigint[])`
  },
}
