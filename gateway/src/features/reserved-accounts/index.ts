export { attach, type FreeAccount, lockFreeAccount } from './attach.ts'
export { reservedAccountFeature } from './feature.ts'
export { forgetIdentities, reservedAccountTraces } from './person-repository.ts'
export {
  findReservedAccount,
  type ReservedAccountRow,
  reservedAccountList,
  selectReservedAccounts,
} from './repository.ts'
export { sealedReservedAccounts } from './sealed.ts'
