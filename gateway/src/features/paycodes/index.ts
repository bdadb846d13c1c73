export { paycodeFeature } from './feature.ts'
export { paycodeQuestions } from './ledger-questions.ts'
export { sealedPaycodes } from './sealed.ts'
