export { decideDispute, type Outcome } from './decide.ts'
export { disputeErrors } from './errors.ts'
export { disputeFeature } from './feature.ts'
export { disputeJournalKeys } from './journals.ts'
export { receiveDispute } from './notifications.ts'
export { openDispute, type ReportedDispute } from './open.ts'
export {
  countDisputesDue,
  type DisputeRow,
  disputeList,
  findAnyDispute,
  findDispute,
  type OperatorsFilter,
  selectAnyDisputes,
  selectDisputed,
  selectDisputesOf,
  selectDisputesOfMany,
  selectPartnerReferences,
} from './repository.ts'
export { getDetail, getFile, withDebts } from './service.ts'
export { showDetail } from './show.ts'
