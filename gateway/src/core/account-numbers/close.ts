import type { Tx } from '../../platform/postgres/db.ts'
import { ofMerchants } from '../../platform/postgres/table.ts'
import type { UnitOfWork } from '../unit-of-work.ts'
import { type AccountPurpose, accounts } from './accounts.ts'
import { closeIssued } from './request-repository.ts'

/** Closes the accounts of owners. Their numbers can be reused after a while; the issuing bank is notified. */
export function closeAccounts(
  { tx, at }: UnitOfWork,
  purpose: AccountPurpose,
  owners: readonly { readonly merchantId: bigint; readonly ownerId: bigint }[],
): void {
  if (owners.length === 0) return
  closeIssued(tx, purpose, owners, at)
  void tx`
    update virtual_account v
       set closes_at = ${at}
      from ${accounts.set(owners, ['merchantId', 'ownerId'])} o
     where ${ofMerchants('v', owners)}
       and v.merchant_id = o.merchant_id and v.purpose = ${purpose} and v.owner_id = o.owner_id
       and (v.closes_at is null or v.closes_at > ${at})`
}

/** Closes a merchant's account numbers, except those of its wallets, which are never reused. */
export function closeAllAccounts(tx: Tx, merchantId: bigint, at: Date): void {
  void tx`
    update account_request set state = 'CLOSING'
     where merchant_id = ${merchantId} and purpose <> 'wallet' and state in ('OPENED', 'USED')`
  void tx`
    update virtual_account set closes_at = ${at}
     where merchant_id = ${merchantId} and purpose <> 'wallet' and (closes_at is null or closes_at > ${at})`
}
