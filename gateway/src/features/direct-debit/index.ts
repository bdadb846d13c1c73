export { directDebitFeature } from './feature.ts'
export { directDebitQuestions } from './ledger-questions.ts'
