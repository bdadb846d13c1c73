export { createMerchant, type NewMerchant, permissionsAtStart, rotateSecret } from './create.ts'
export { type MerchantDirectory, openDirectory } from './directory.ts'
export { type Contract, type Merchant, type Secret, type SubAccount, signingSecret, validSecrets } from './merchant.ts'
export {
  type ContractChange,
  findMerchantId,
  hasMerchants,
  listMerchants,
  type MerchantChange,
  markSecretUsed,
  updateContracts,
  updateMerchant,
} from './repository.ts'
