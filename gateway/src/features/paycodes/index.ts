export { paycodeFeature } from './feature.ts'
export { findPaycodeByEitherName, type PaycodeRow, paycodeList } from './repository.ts'
