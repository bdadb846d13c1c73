export { invoiceFeature } from './feature.ts'
