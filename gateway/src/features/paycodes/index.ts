export { paycodeFeature } from './feature.ts'
export { heldByPaycodes } from './repository.ts'
