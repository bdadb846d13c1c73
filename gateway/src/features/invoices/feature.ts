import type { Feature } from '../../core/feature.ts'
import { type InvoiceDeps, invoiceRoutes } from './routes.ts'

/** Payments that a merchant asks a customer for, with a date by which they are due. */
export const invoiceFeature = (deps: InvoiceDeps) =>
  ({ routes: (serve) => invoiceRoutes(serve, deps) }) satisfies Feature
