export { type MerchantDirectory, openDirectory } from './directory.ts'
export { ANY_ORIGIN, type Contract, type Merchant, type Secret, signingSecret, validSecrets } from './merchant.ts'
export { type NewPrice, PriceError, setPrice } from './prices.ts'
export {
  type ContractChange,
  findMerchantId,
  hasMerchants,
  insertContract,
  insertMerchant,
  listMerchants,
  type MerchantChange,
  markSecretUsed,
  type Standing,
  updateContracts,
  updateMerchant,
} from './repository.ts'
export { addSecret, rotateSecret, sealedSecrets } from './secrets.ts'
export {
  type Destination,
  deleteSubAccount,
  insertSubAccounts,
  type SubAccount,
  type SubAccountRow,
  selectDestinations,
  updateSubAccount,
} from './sub-accounts.ts'
