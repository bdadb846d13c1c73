export { directDebitFeature } from './feature.ts'
export { directDebitQuestions } from './ledger-questions.ts'
export { mandateTraces } from './person-repository.ts'
export { findMandateCalled, type MandateRow, mandateList } from './repository.ts'
