export { teamFeature } from './feature.ts'
