export { isRefundable } from './allocation.ts'
export { refundFeature } from './feature.ts'
export { endRefundInHistory, startRefundInHistory, writeHistoryRefunds } from './history.ts'
export { refundJournalKeys } from './journals.ts'
export {
  findRefundByEitherName,
  type RefundRow,
  refundList,
  selectRefunded,
  selectRefundedIds,
  selectRefundedSums,
  selectRefundsOf,
  selectRefundsOfMany,
} from './repository.ts'
