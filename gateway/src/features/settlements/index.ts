export { settlementFeature } from './feature.ts'
export { settlementQuestions } from './ledger-questions.ts'
