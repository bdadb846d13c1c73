export { attach, type FreeAccount, lockFreeAccount } from './attach.ts'
export { reservedAccountFeature } from './feature.ts'
export {
  findReservedAccount,
  type ReservedAccountRow,
  reservedAccountList,
  selectReservedAccounts,
} from './repository.ts'
