export { bankFeature } from './feature.ts'
