export { type Authorizable, type AuthorizeDeps, authorize, mailCode, resendCode } from './authorize.ts'
export { unlockCodes } from './code-guard.ts'
export { disbursementFeature } from './feature.ts'
export { endTransferInHistory, startTransferInHistory, transferableOf, writeHistoryTransfers } from './history.ts'
export { codeKeyOf, newCode } from './otp.ts'
export { payOutWallet } from './pay-out.ts'
export {
  type AuthorizationRow,
  type BatchRow,
  batchList,
  countToAuthorize,
  findBatch,
  findTransfer,
  findTransfersBySession,
  findTransfersTo,
  insertAuthorizations,
  type TransferRow,
  transferList,
  transfersInBatch,
} from './repository.ts'
