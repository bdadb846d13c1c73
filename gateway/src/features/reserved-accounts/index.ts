export { attach, lockFreeAccount } from './attach.ts'
export { reservedAccountFeature } from './feature.ts'
export {
  accountHolderList,
  findAccountHolders,
  findReservedAccount,
  type ReservedAccountRow,
  reservedAccountList,
  selectReservedAccounts,
  selectTills,
} from './repository.ts'
export { type Deps as ReserveDeps, reserveAccount } from './service.ts'
