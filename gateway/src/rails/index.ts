import type { AccountRail } from './account.ts'
import type { BillerRail } from './biller.ts'
import type { CardRail } from './card.ts'
import type { DebitRail } from './debit.ts'
import type { IdentityRail } from './identity.ts'
import type { ReturnRail } from './returns.ts'
import type { TransferRail } from './transfer.ts'

/** All partners' services that move money or look up people, by function. */
export interface Rails {
  readonly account: AccountRail
  readonly biller: BillerRail
  readonly card: CardRail
  readonly debit: DebitRail
  readonly identity: IdentityRail
  readonly returns: ReturnRail
  readonly transfer: TransferRail
}
