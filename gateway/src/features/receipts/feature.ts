import * as contract from '@kobo/contract'
import type { Feature } from '../../core/feature.ts'
import { type ReceiptDeps, receiptStatus } from './service.ts'

/** Receipts that prove themselves: a signed statement of the payment, which anyone can verify. */
export const receiptFeature = {
  open: (deps: ReceiptDeps) => ({
    routes: (serve) => serve(contract.checkReceipt, ({ body }) => receiptStatus(deps, body.receipt)),
  }),
} satisfies Feature
