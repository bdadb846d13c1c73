export { invoiceFeature } from './feature.ts'
export { type InvoiceRow, invoiceList, selectInvoicesOf } from './repository.ts'
export { invoiceStatus } from './status.ts'
