export { operatorFeature } from './feature.ts'
