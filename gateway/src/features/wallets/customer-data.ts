import { renameAccounts } from '../../core/account-numbers/index.ts'
import type { CustomerData } from '../../core/erasure/index.ts'
import { findWalletsOf, updateCustomers, walletNumbers } from '../../core/money/wallet-balances/index.ts'
import { erasePayers } from './repository.ts'
import { sealBvnDetails } from './service.ts'

/** A customer's wallet always has BVN details, so erasure replaces them with an invalid BVN. */
const NO_BVN = { bvn: '00000000000', bvnDateOfBirth: '1900-01-01' }

export const walletCustomerData: CustomerData = {
  name: 'wallets',
  table: 'wallet',
  find: (db, { merchantId, emails }, slice) => findWalletsOf(db, merchantId, emails, slice),
  erase: async (unit, { merchantId, pseudonym: { name, email } }, ids, keyring) => {
    const keys = ids.map((id) => ({ merchantId, id }))
    const numbers = await walletNumbers(unit.tx, keys)
    updateCustomers(
      unit.tx,
      keys.map((key) => ({
        ...key,
        name,
        customerName: name,
        customerEmail: email,
        bvnDetails: sealBvnDetails(keyring, key, NO_BVN),
      })),
    )
    erasePayers(unit.tx, merchantId, [...numbers.values()])
    const owners = ids.map((ownerId) => ({ merchantId, ownerId }))
    renameAccounts(unit, 'wallet', owners, name)
  },
}
