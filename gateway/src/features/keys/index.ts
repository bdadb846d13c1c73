export { keyFeature } from './feature.ts'
