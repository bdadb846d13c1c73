import { accounts, type Journal } from '../../core/money/ledger/index.ts'
import { type Kobo, subtract } from '../../kernel/money.ts'
import type { VendRow } from './repository.ts'

/** What the wallet pays: the biller leaves the commission to the merchant. */
export const payableAmount = ({ vendAmount, commission }: Pick<VendRow, 'vendAmount' | 'commission'>): Kobo =>
  subtract(vendAmount, commission)

const journal = (vend: VendRow, act: string, memo: string, from: string, to: string): Journal => ({
  merchantId: vend.merchantId,
  key: `bill/${vend.transactionReference}/${act}`,
  memo: `${memo} ${vend.transactionReference}`,
  moves: [{ from, to, amount: payableAmount(vend) }],
})

/** A bill is to be paid: its money leaves the wallet, and is nobody else's yet. */
export const heldJournal = (vend: VendRow): Journal =>
  journal(vend, 'held', 'Bill', accounts.wallet(vend.accountNumber), accounts.inFlight(vend.accountNumber))

/** The biller has delivered: the money is what we owe it. */
export const paidJournal = (vend: VendRow, partner: string | null): Journal =>
  journal(vend, 'paid', 'Bill paid', accounts.inFlight(vend.accountNumber), accounts.clearing('bills', partner))

/** The biller has failed: the money is back in the wallet. */
export const returnedJournal = (vend: VendRow): Journal =>
  journal(vend, 'returned', 'Bill returned', accounts.inFlight(vend.accountNumber), accounts.wallet(vend.accountNumber))
