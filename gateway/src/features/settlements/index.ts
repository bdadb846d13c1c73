export { settlementFeature } from './feature.ts'
export { payablesAreWhatIsToBeSettled, settlementQuestions } from './ledger-questions.ts'
export { settledInPast, writePastSettlements } from './past.ts'
