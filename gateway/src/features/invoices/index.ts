export { invoiceFeature } from './feature.ts'
export { type InvoiceRow, invoiceList } from './repository.ts'
export { invoiceStatus } from './status.ts'
