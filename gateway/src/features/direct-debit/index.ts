export { directDebitFeature } from './feature.ts'
export { findMandateByEitherName, type MandateRow, mandateList } from './repository.ts'
