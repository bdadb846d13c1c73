import { renameAccounts } from '../../core/account-numbers/index.ts'
import { type CustomerData, type CustomerRecord, idList } from '../../core/erasure/index.ts'

/** The customers of mandates, with their addresses and phone numbers. */
export const mandateCustomerData: CustomerData = {
  name: 'mandates',
  table: 'mandate',
  find: (db, { merchantId, emails, phones }, { after, upTo }) =>
    db<CustomerRecord[]>`
      select id, array[mandate_reference, mandate_code] as refs, due_at is not null as is_open
        from mandate
       where merchant_id = ${merchantId} and id > ${after} and id <= ${upTo}
         and (lower(customer_email_address) = any(${emails}::text[]) or customer_phone_number = any(${phones}::text[]))
       order by id`,
  erase: async (unit, { merchantId, pseudonym }, mandateIds) => {
    const { tx } = unit
    const { name, email, phone, accountNumber, text } = pseudonym
    const ids = idList(mandateIds)
    void tx`
      update mandate
         set customer_name = ${name}, customer_email_address = ${email}, customer_phone_number = ${phone},
             customer_address = ${text}, customer_account_number = ${accountNumber}, customer_account_name = ${name},
             mandate_description = ${text}, redirect_url = null
       where merchant_id = ${merchantId} and id = any(${ids}::bigint[])`
    void tx`
      update mandate_token
         set payer_name = null, payer_account_number = null
       where merchant_id = ${merchantId} and mandate_id = any(${ids}::bigint[])`
    void tx`update debit set narration = ${text} where merchant_id = ${merchantId} and mandate_id = any(${ids}::bigint[])`
    const owners = mandateIds.map((ownerId) => ({ merchantId, ownerId }))
    renameAccounts(unit, 'mandate', owners, name)
  },
}
