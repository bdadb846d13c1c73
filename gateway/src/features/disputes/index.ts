export { decideDispute, type Outcome } from './decide.ts'
export { disputeErrors } from './errors.ts'
export { disputeFeature } from './feature.ts'
export { disputeJournalKeys } from './journals.ts'
export { disputeQuestions } from './ledger-questions.ts'
export { openDispute, type ToldDispute } from './open.ts'
export { disputeTraces } from './person-repository.ts'
export {
  type DisputeRow,
  disputeList,
  findAnyDispute,
  type OperatorsFilter,
  selectAnyDisputes,
  selectDisputed,
  selectDisputesOf,
} from './repository.ts'
export { sealedDisputes } from './sealed.ts'
export { getDetail, getFile, withDebts } from './service.ts'
export { showDetail } from './show.ts'
export { receiveDispute } from './told.ts'
