import type { Kobo } from '../kernel/money.ts'
import type { FoundTransfer, TransferOutcome } from './transfer.ts'

/** A credit that its partner is to send to where it came from. */
export interface SendBackOrder {
  /** Ours, and used once. */
  readonly reference: string
  readonly amount: Kobo
  /** As the partner told of it. */
  readonly credit: { readonly railReference: string; readonly bankCode: string; readonly accountNumber: string }
  readonly narration: string
}

/** Sends credits back that we do not want. What it answers is what a transfer is answered with. */
export interface ReturnRail {
  /** Whether a partner does so, as far as is known now. Where it does not, a transfer of ours takes the money back. */
  readonly isOffered: (partner: string) => boolean
  readonly send: (order: SendBackOrder) => Promise<TransferOutcome>
  readonly find: (reference: string, amount?: Kobo) => Promise<FoundTransfer>
}
