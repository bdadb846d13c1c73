export { disbursementFeature } from './feature.ts'
