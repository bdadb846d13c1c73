export { paycodeFeature } from './feature.ts'
export { findPaycode, type PaycodeRow, paycodeList } from './repository.ts'
