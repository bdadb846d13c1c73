export { attach, type FreeAccount, lockFreeAccount } from './attach.ts'
export { reservedAccountFeature } from './feature.ts'
export { sealedReservedAccounts } from './sealed.ts'
