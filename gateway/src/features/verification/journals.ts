import type { Merchant } from '../../core/merchants/index.ts'
import { accounts, type Journal } from '../../core/money/ledger/index.ts'
import type { Kobo } from '../../kernel/money.ts'

/** A verification was answered: the wallet pays for it. */
export const verificationJournal = (
  { id, walletAccountNumber }: Merchant,
  reference: string,
  what: string,
  price: Kobo,
): Journal => ({
  merchantId: id,
  key: `verification/${reference}`,
  memo: `Verification ${what} ${reference}`,
  moves: [{ from: accounts.wallet(walletAccountNumber), to: accounts.fees('verification'), amount: price }],
})
