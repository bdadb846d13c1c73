import { type CustomerData, type CustomerRecord, idList } from '../../core/erasure/index.ts'

/** The phone numbers that bills were paid for. */
export const vendCustomerData: CustomerData = {
  name: 'bills',
  table: 'bill_vend',
  find: (db, { merchantId, phones }, { after, upTo }) =>
    db<CustomerRecord[]>`
      select id, array[reference, transaction_reference] as refs, status = 'PENDING' as is_open
        from bill_vend
       where merchant_id = ${merchantId} and id > ${after} and id <= ${upTo} and customer_id = any(${phones}::text[])
       order by id`,
  erase: async ({ tx }, { merchantId, pseudonym: { phone } }, ids) => {
    void tx`
      update bill_vend
         set customer_id = ${phone}, metadata = '{}'
       where merchant_id = ${merchantId} and id = any(${idList(ids)}::bigint[])`
  },
}
