export { directDebitFeature } from './feature.ts'
