export { billFeature } from './feature.ts'
export { billQuestions } from './ledger-questions.ts'
export { vendTraces } from './person-repository.ts'
export { findVend, type VendRow, vendList } from './repository.ts'
