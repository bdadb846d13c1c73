import type { Feature } from '../../core/feature.ts'
import { invoiceCustomerData } from './customer-data.ts'
import { type InvoiceDeps, invoiceRoutes } from './routes.ts'

/** Payments that a merchant requests from a customer, with a due date. */
export const invoiceFeature = {
  customerData: [invoiceCustomerData],
  open: (deps: InvoiceDeps) => ({ routes: (serve) => invoiceRoutes(serve, deps) }),
} satisfies Feature
