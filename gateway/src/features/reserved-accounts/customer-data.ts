import { renameAccounts } from '../../core/account-numbers/index.ts'
import { type CustomerData, type CustomerRecord, idList } from '../../core/erasure/index.ts'
import { ofShard, type Shard } from '../../core/shards/index.ts'
import type { Tx } from '../../platform/postgres/db.ts'

/** The customers of reserved accounts, with their BVN and NIN. */
export const reservedAccountCustomerData: CustomerData = {
  name: 'reserved accounts',
  table: 'reserved_account',
  find: (db, { merchantId, emails }, { after, upTo }) =>
    db<CustomerRecord[]>`
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

/** Erases BVN, NIN and allowed payers of accounts that were deallocated before the given time; returns how many. */
export async function eraseIdentities(tx: Tx, shard: Shard, before: Date, limit: number): Promise<number> {
  const { count } = await tx`
    update reserved_account a
       set bvn = null, nin = null, allowed_payment_sources = null
     where ${ofShard(shard, 'a')} and (merchant_id, id) in (
       select merchant_id, id from reserved_account a
        where ${ofShard(shard, 'a')} and deallocated_at <= ${before} and num_nonnulls(bvn, nin, allowed_payment_sources) > 0 limit ${limit})`
  return count
}
