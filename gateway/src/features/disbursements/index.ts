export { type FailedItems, findFailedItems } from './batch.ts'
export { unlockCodes } from './code-guard.ts'
export { disbursementFeature } from './feature.ts'
export { endTransferInHistory, startTransferInHistory, transferableOf, writeHistoryTransfers } from './history.ts'
export { payOutWallet } from './pay-out.ts'
export {
  type BatchRow,
  batchList,
  countToAuthorize,
  findBatch,
  findBatchByEitherName,
  findRecipients,
  findTransfer,
  findTransfersNamed,
  findTransfersOfAny,
  findTransfersTo,
  selectSessions,
  type TransferRow,
  transferList,
  transfersInBatch,
} from './repository.ts'
