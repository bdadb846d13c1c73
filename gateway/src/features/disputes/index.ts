export { decideDispute, type Outcome } from './decide.ts'
export { disputeErrors } from './errors.ts'
export { disputeFeature } from './feature.ts'
export { disputeJournalKeys } from './journals.ts'
export { receiveDispute } from './notifications.ts'
export { openDispute } from './open.ts'
export {
  countDisputesDue,
  countOpenDisputes,
  type DisputeRow,
  disputeList,
  findAnyDispute,
  findDispute,
  selectAnyDisputes,
  selectDisputed,
  selectDisputesOf,
  selectDisputesOfMany,
  selectPartnerReferences,
} from './repository.ts'
export { getDetail, getFile, withDebts } from './service.ts'
export { showDetail } from './show.ts'
