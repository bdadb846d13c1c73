export { isRefundable } from './allocation.ts'
export { refundFeature } from './feature.ts'
export { endRefundInHistory, startRefundInHistory, writeHistoryRefunds } from './history.ts'
export { refundJournalKeys } from './journals.ts'
export {
  findRefund,
  type RefundRow,
  refundList,
  selectRefunded,
  selectRefundedSums,
  selectRefundsOf,
  selectRefundsOfMany,
} from './repository.ts'
