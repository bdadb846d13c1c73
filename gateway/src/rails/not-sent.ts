import type { AccountRail } from './account.ts'
import type { BillerRail } from './biller.ts'
import type { CardRail } from './card.ts'
import type { DebitRail } from './debit.ts'
import type { Rails } from './index.ts'
import type { ReturnRail } from './returns.ts'
import type { TransferRail } from './transfer.ts'

/** Nothing has left us, nor ever will under this reference: another partner may be asked. Nothing else is a reason for that. */
export interface NotSent {
  readonly kind: 'not sent'
  readonly reason: string
  /** Set where the partner could not be reached, rather than that it said so: it is not a no. */
  readonly unanswered?: boolean
}

export const isNotSent = (said: { readonly kind: string }): said is NotSent => said.kind === 'not sent'

/** A rail of one partner, whose sends may also answer that nothing was sent. */
type OfPartner<Rail, Sends extends keyof Rail> = Omit<Rail, Sends> & {
  readonly [Send in Sends]: Rail[Send] extends (request: infer Request) => Promise<infer Outcome>
    ? (request: Request) => Promise<Outcome | NotSent>
    : never
}

/** What one partner does. The rails that features know go over several, and never answer that nothing was sent. */
export interface PartnerRails extends Omit<Rails, 'account' | 'biller' | 'card' | 'debit' | 'returns' | 'transfer'> {
  readonly account: OfPartner<AccountRail, 'open'>
  readonly biller: OfPartner<BillerRail, 'vend'>
  readonly card: OfPartner<CardRail, 'charge' | 'refund'>
  readonly debit: OfPartner<DebitRail, 'debit'>
  readonly returns: OfPartner<ReturnRail, 'send'>
  readonly transfer: OfPartner<TransferRail, 'send'>
}
