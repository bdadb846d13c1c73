export { invoiceFeature } from './feature.ts'
export { invoiceTraces } from './person-repository.ts'
