export { keyFeature } from './feature.ts'
export { revokeRestricted } from './restricted.ts'
