export { verificationFeature } from './feature.ts'
export { verificationQuestions } from './ledger-questions.ts'
