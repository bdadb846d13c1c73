export { invoiceFeature } from './feature.ts'
export { type InvoiceItem, type InvoiceRow, invoiceList, priceOf, selectInvoicesOf, selectItems } from './repository.ts'
export { invoiceStatus } from './status.ts'
