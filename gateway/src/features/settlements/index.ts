export { settlementFeature } from './feature.ts'
export { payablesAreWhatIsToBeSettled, settlementQuestions } from './ledger-questions.ts'
export { settledInPast, writePastSettlements } from './past.ts'
export {
  countFailedPayouts,
  findSettlement,
  findSettlementOf,
  type SettledSum,
  type SettlementRow,
  selectSettledSums,
  settlementList,
} from './repository.ts'
