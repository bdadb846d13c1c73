import { idList, type TracesOfTransactions } from '../../core/people/index.ts'

/** What the accounts to pay invoices into are called: as the merchant describes what its customer owes. */
export const invoiceTraces: TracesOfTransactions = {
  name: 'invoices',
  findOpen: async () => [], // an open one is its transaction's
  erase: async ({ tx }, { merchantId, pseudonym: { text } }, transactionIds) => {
    void tx`
      update invoice
         set account_name = ${text}
       where merchant_id = ${merchantId} and transaction_id = any(${idList(transactionIds)}::bigint[]) and account_name is not null`
  },
}
