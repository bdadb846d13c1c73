export { settlementFeature } from './feature.ts'
export { settleInHistory, writeHistorySettlements } from './history.ts'
export {
  countFailedPayouts,
  findSettlement,
  findSettlementOf,
  findSettlementOfSession,
  type SettledSum,
  type SettlementRow,
  selectPayoutSessions,
  selectSettledSums,
  settlementList,
} from './repository.ts'
