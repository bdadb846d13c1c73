export { limitProfileErrors } from './errors.ts'
export { limitProfileFeature } from './feature.ts'
export { findLimitProfile, type LimitProfileRow, type Limits, limitProfileList, limitsOf } from './repository.ts'
export { showLimitProfileConfig } from './show.ts'
