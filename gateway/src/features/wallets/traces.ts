import { renameAccounts } from '../../core/money/virtual-accounts/index.ts'
import { findWalletsOf, updateCustomers, walletNumbers } from '../../core/money/wallet-balances/index.ts'
import type { Traces } from '../../core/people/index.ts'
import { erasePayers } from './repository.ts'
import { sealBvnDetails } from './service.ts'

/** A wallet of a customer always has them, so that they are somebody's who is nobody. */
const NO_BVN = { bvn: '00000000000', bvnDateOfBirth: '1900-01-01' }

/** For whom wallets are kept. */
export const walletTraces: Traces = {
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
