export { limitProfileErrors } from './errors.ts'
export { findLimitProfile, type LimitProfileRow, type Limits, limitsOf } from './repository.ts'
export { limitProfileRoutes } from './routes.ts'
export { showLimitProfileConfig } from './show.ts'
