export { unlockCodes } from './code-guard.ts'
export { disbursementFeature } from './feature.ts'
export { disbursementQuestions } from './ledger-questions.ts'
export { transferableOf, transferBeganInPast, transferEndedInPast, writePastTransfers } from './past.ts'
export {
  type BatchRow,
  batchList,
  countToAuthorize,
  findBatch,
  findTransfer,
  findTransfersBySession,
  findTransfersTo,
  type TransferRow,
  transferList,
  transfersInBatch,
} from './repository.ts'
export { sealedTransfers } from './sealed.ts'
