export { operatorOrderFeature } from './feature.ts'
