export { returnFeature } from './feature.ts'
export {
  type BankReferences,
  countReturns,
  countWaiting,
  type ReturnCount,
  type ReturnRow,
  selectOfOwners,
  selectRejected,
  selectWaiting,
} from './repository.ts'
export {
  type Destination,
  holdUnknown,
  NO_OWNER,
  type RejectedCredit,
  rejectInactive,
  rejectMisdirected,
  rejectUnassigned,
  returnCredits,
  sendReturnTo,
  settleReturn,
} from './service.ts'
