import * as contract from '@kobo/contract'
import type { Feature } from '../../core/feature.ts'
import { type ReceiptDeps, receiptStatus } from './service.ts'

/** Receipts: each has a signed statement of its payment, which anyone can verify. */
export const receiptFeature = {
  open: (deps: ReceiptDeps) => ({
    routes: (serve) => serve(contract.checkReceipt, ({ body }) => receiptStatus(deps, body.receipt)),
  }),
} satisfies Feature
