export { paycodeFeature } from './feature.ts'
export { paycodeQuestions } from './ledger-questions.ts'
export { findPaycode, type PaycodeRow, paycodeList } from './repository.ts'
export { sealedPaycodes } from './sealed.ts'
