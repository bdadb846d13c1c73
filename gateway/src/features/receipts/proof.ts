import type { ReceiptKeys } from '../../core/security/receipt-keys.ts'
import type { Environment } from '../../platform/config/config.ts'
import { type ReceiptFacts, signReceipt } from './statement.ts'
import { VERIFIER_PATH } from './verifier.ts'

export interface ProofDeps {
  readonly receiptKeys: ReceiptKeys
  readonly environment: Environment
  readonly publicUrl: () => string
}

/** Returns a function that creates the URL for a receipt's QR code. The page there verifies the receipt. */
export const receiptProver =
  ({ receiptKeys, environment, publicUrl }: ProofDeps) =>
  (facts: Omit<ReceiptFacts, 'isSandbox'>): string =>
    `${publicUrl()}${VERIFIER_PATH}#${signReceipt(receiptKeys, { ...facts, isSandbox: environment === 'sandbox' })}`
