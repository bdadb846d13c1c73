export { invoiceFeature } from './feature.ts'
export { invoiceTraces } from './person-repository.ts'
export { type InvoiceRow, invoiceList } from './repository.ts'
export { invoiceStatus } from './status.ts'
