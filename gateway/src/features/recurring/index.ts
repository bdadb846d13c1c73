export { recurringFeature } from './feature.ts'
