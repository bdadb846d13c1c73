export { returnFeature } from './feature.ts'
export { returnQuestions } from './ledger-questions.ts'
export { returnTraces } from './person-repository.ts'
export {
  countReturns,
  countWaiting,
  type ReturnCount,
  type ReturnRow,
  type ReturnState,
  selectOfOwners,
  selectUntaken,
  selectWaiting,
} from './repository.ts'
export {
  type Destination,
  holdUnknown,
  NOBODY,
  receiveForNobody,
  refuseStrays,
  sendBack,
  sendTo,
  settleReturn,
  type UnwantedCredit,
} from './service.ts'
