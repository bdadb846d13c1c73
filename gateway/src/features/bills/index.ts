export { billFeature } from './feature.ts'
