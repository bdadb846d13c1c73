import type { Kobo } from '../kernel/money.ts'
import type { FoundTransfer, TransferOutcome } from './transfer.ts'

/** An order to the partner to return a credit to its payer. */
export interface SendBackOrder {
  /** Our reference, used once. */
  readonly reference: string
  readonly amount: Kobo
  /** The credit as the partner reported it. */
  readonly credit: { readonly railReference: string; readonly bankCode: string; readonly accountNumber: string }
  readonly narration: string
}

/** Returns unwanted credits. Its outcomes are the same as those of a transfer. */
export interface ReturnRail {
  /** Whether the partner can return credits. If not, we return the money by a transfer. */
  readonly isOffered: (partner: string) => boolean
  readonly send: (order: SendBackOrder) => Promise<TransferOutcome>
  readonly find: (reference: string, amount?: Kobo) => Promise<FoundTransfer>
}
