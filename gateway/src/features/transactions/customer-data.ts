import { renameAccounts } from '../../core/account-numbers/index.ts'
import { type CustomerData, type CustomerRecord, ERASED_CARD, idList } from '../../core/erasure/index.ts'

const CARD = JSON.stringify({ ...ERASED_CARD, cardToken: null, reusable: false })

/** The customers of transactions, and the accounts they paid from. */
export const transactionCustomerData: CustomerData = {
  name: 'payments',
  table: 'transaction',
  find: (db, { merchantId, emails }, { after, upTo }) =>
    db<CustomerRecord[]>`
      select id, array_remove(array[transaction_reference, payment_reference, invoice_reference], null) as refs,
             completed_at is null as is_open
        from transaction
       where merchant_id = ${merchantId} and id > ${after} and id <= ${upTo} and lower(customer_email) = any(${emails}::text[])
       order by id`,
  erase: async (unit, { merchantId, pseudonym }, transactionIds) => {
    const { tx } = unit
    const { name, email, text } = pseudonym
    const ids = idList(transactionIds)
    void tx`
      update transaction
         set customer_name = case when customer_name is not null then ${name} end, customer_email = ${email},
             payment_description = case when payment_description is not null then ${text} end,
             redirect_url = null, meta_data = '{}'
       where merchant_id = ${merchantId} and id = any(${ids}::bigint[])`
    void tx`
      update payment
         set payer_name = null, payer_account_number = null, card = (card::jsonb || ${CARD}::jsonb)::json
       where merchant_id = ${merchantId} and transaction_id = any(${ids}::bigint[])`
    void tx`
      update rejected_payment
         set payer_name = null, payer_account_number = null
       where merchant_id = ${merchantId} and transaction_id = any(${ids}::bigint[])`
    const owners = transactionIds.map((ownerId) => ({ merchantId, ownerId }))
    renameAccounts(unit, 'transaction', owners, text)
  },
}
