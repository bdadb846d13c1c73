import { idList, type TransactionCustomerData } from '../../core/erasure/index.ts'
import { ofOwners } from './repository.ts'

/** The payers of rejected credits, and the accounts to which those credits were returned. */
export const returnCustomerData: TransactionCustomerData = {
  name: 'returned credits',
  findOpen: async (db, merchantId, transactionIds) => {
    const rows = await db<{ reference: string }[]>`
      select reference from credit_return
       where ${ofOwners(merchantId, 'transaction', idList(transactionIds))} and state in ('WAITING', 'RETURNING')`
    return rows.map(({ reference }) => reference)
  },
  erase: async ({ tx }, { merchantId, pseudonym: { name, accountNumber } }, transactionIds) => {
    void tx`
      update credit_return
         set payer_name = null, payer_account_number = null,
             destination_account_name = case when destination_account_name is not null then ${name} end,
             destination_account_number = case when destination_account_number is not null then ${accountNumber} end
       where ${ofOwners(merchantId, 'transaction', idList(transactionIds))} and state not in ('WAITING', 'RETURNING')`
  },
}
