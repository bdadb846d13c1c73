export { walletFeature } from './feature.ts'
export { topUpQuestions } from './ledger-questions.ts'
export { walletTraces } from './traces.ts'
