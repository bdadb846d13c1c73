import type { AccountRail } from './account.ts'
import type { BillerRail } from './biller.ts'
import type { CardRail } from './card.ts'
import type { DebitRail } from './debit.ts'
import type { Rails } from './index.ts'
import type { ReturnRail } from './returns.ts'
import type { TransferRail } from './transfer.ts'

/** Nothing was sent, and nothing will ever be sent under this reference. Only this outcome allows using another partner. */
export interface NotSent {
  readonly kind: 'not sent'
  readonly reason: string
  /** Set if the partner was unreachable, which is not a rejection. */
  readonly unanswered?: boolean
}

export const isNotSent = (response: { readonly kind: string }): response is NotSent => response.kind === 'not sent'

/** A partner's rail, whose sends may also report that nothing was sent. */
type OfPartner<Rail, Sends extends keyof Rail> = Omit<Rail, Sends> & {
  readonly [Send in Sends]: Rail[Send] extends (request: infer Request) => Promise<infer Outcome>
    ? (request: Request) => Promise<Outcome | NotSent>
    : never
}

/** One partner's rails. Features use rails that cover several partners and never report that nothing was sent. */
export interface PartnerRails extends Omit<Rails, 'account' | 'biller' | 'card' | 'debit' | 'returns' | 'transfer'> {
  readonly account: OfPartner<AccountRail, 'open'>
  readonly biller: OfPartner<BillerRail, 'vend'>
  readonly card: OfPartner<CardRail, 'charge' | 'refund'>
  readonly debit: OfPartner<DebitRail, 'debit'>
  readonly returns: OfPartner<ReturnRail, 'send'>
  readonly transfer: OfPartner<TransferRail, 'send'>
}
