import { renameAccounts } from '../../core/money/virtual-accounts/index.ts'
import { idList, type Trace, type Traces } from '../../core/people/index.ts'

/** For whom accounts were reserved, and by which numbers the state knows them. */
export const reservedAccountTraces: Traces = {
  name: 'reserved accounts',
  table: 'reserved_account',
  find: (db, { merchantId, emails }, { after, upTo }) =>
    db<Trace[]>`
      select id, array[account_reference, reservation_reference] as refs, deallocated_at is null as is_open
        from reserved_account
       where merchant_id = ${merchantId} and id > ${after} and id <= ${upTo} and lower(customer_email) = any(${emails}::text[])
       order by id`,
  erase: async (unit, { merchantId, pseudonym: { name, email } }, ids) => {
    void unit.tx`
      update reserved_account
         set account_name = ${name}, customer_name = case when customer_name is not null then ${name} end,
             customer_email = ${email}, bvn = null, nin = null, allowed_payment_sources = null, meta_data = '{}'
       where merchant_id = ${merchantId} and id = any(${idList(ids)}::bigint[])`
    const owners = ids.map((ownerId) => ({ merchantId, ownerId }))
    renameAccounts(unit, 'reserved-account', owners, name)
  },
}
