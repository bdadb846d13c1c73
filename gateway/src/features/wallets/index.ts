export { walletFeature } from './feature.ts'
export { topUpQuestions } from './ledger-questions.ts'
