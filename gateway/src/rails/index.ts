import type { AccountRail } from './account.ts'
import type { BillerRail } from './biller.ts'
import type { CardRail } from './card.ts'
import type { DebitRail } from './debit.ts'
import type { IdentityRail } from './identity.ts'
import type { ReturnRail } from './returns.ts'
import type { TransferRail } from './transfer.ts'

/** The interfaces through which partners move money and verify identities. */
export interface Rails {
  readonly account: AccountRail
  readonly biller: BillerRail
  readonly card: CardRail
  readonly debit: DebitRail
  readonly identity: IdentityRail
  readonly returns: ReturnRail
  readonly transfer: TransferRail
}
