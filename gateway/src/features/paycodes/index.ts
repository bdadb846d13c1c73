export { paycodeFeature } from './feature.ts'
export { heldByPaycodes } from './ledger-questions.ts'
