import { accounts, type Journal } from '../../core/money/ledger/index.ts'
import { type Kobo, subtract } from '../../kernel/money.ts'
import type { VendRow } from './repository.ts'

/** Returns the amount to debit from the wallet: the vend amount less the merchant's commission. */
export const payableAmount = ({ vendAmount, commission }: Pick<VendRow, 'vendAmount' | 'commission'>): Kobo =>
  subtract(vendAmount, commission)

const journal = (vend: VendRow, act: string, memo: string, from: string, to: string): Journal => ({
  merchantId: vend.merchantId,
  key: `bill/${vend.transactionReference}/${act}`,
  memo: `${memo} ${vend.transactionReference}`,
  moves: [{ from, to, amount: payableAmount(vend) }],
})

/** Returns the journal of an accepted vend: its money leaves the wallet and is in transit. */
export const heldJournal = (vend: VendRow): Journal =>
  journal(vend, 'held', 'Bill', accounts.wallet(vend.accountNumber), accounts.inFlight(vend.accountNumber))

/** Returns the journal of a successful vend: the biller has delivered, and we owe it the money. */
export const paidJournal = (vend: VendRow, partner: string | null): Journal =>
  journal(vend, 'paid', 'Bill paid', accounts.inFlight(vend.accountNumber), accounts.clearing('bills', partner))

/** Returns the journal of a failed vend: the money returns to the wallet. */
export const returnedJournal = (vend: VendRow): Journal =>
  journal(vend, 'returned', 'Bill returned', accounts.inFlight(vend.accountNumber), accounts.wallet(vend.accountNumber))
