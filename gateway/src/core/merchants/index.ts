export {
  type AdditionalEndpointRow,
  endpointSecrets,
  insertAdditionalEndpoint,
  lockAdditionalEndpoint,
  newEndpointSecret,
  type SigningSecret,
  sealedEndpointSecrets,
  selectAdditionalEndpoints,
  updateAdditionalEndpoint,
} from './additional-endpoints.ts'
export { type MerchantDirectory, openDirectory } from './directory.ts'
export { findLogo, type Logo, logoPath, readLogo, storeLogo } from './logos.ts'
export {
  ANY_ORIGIN,
  type Contract,
  findContract,
  findOrigin,
  firstContract,
  isValidSecret,
  type Merchant,
  type Secret,
  signingSecret,
  validSecrets,
} from './merchant.ts'
export { applyPrice, checkPrice, PriceError, setPrice } from './prices.ts'
export {
  type ContractChange,
  type ContractRow,
  EVERY_MERCHANT,
  findMerchantId,
  hasMerchants,
  insertContract,
  insertMerchant,
  type KeyHolder,
  listMerchants,
  lockMerchant,
  type MerchantChange,
  type MerchantRow,
  type MerchantStatus,
  markSecretUsed,
  nextClosed,
  type StoredPolicy,
  selectContracts,
  selectKeyHolders,
  selectMerchantIds,
  selectMerchantPage,
  takeClosed,
  updateContract,
  updateMerchant,
} from './repository.ts'
export {
  addRestrictedKey,
  findBySecret,
  isCurrent,
  markKeyUsed,
  type RestrictedKey,
  type RestrictedKeyRow,
  revokeRestrictedKey,
  selectRestrictedKeys,
} from './restricted-keys.ts'
export { addSecret, rotateSecret, sealedSecrets } from './secrets.ts'
export {
  type Destination,
  deleteSubAccount,
  insertSubAccounts,
  type SubAccount,
  type SubAccountRow,
  selectDestinations,
  subAccountList,
  updateSubAccount,
} from './sub-accounts.ts'
