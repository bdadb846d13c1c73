export { refundFeature } from './feature.ts'
