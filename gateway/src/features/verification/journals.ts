import type { Merchant } from '../../core/merchants/index.ts'
import { accounts, type Journal } from '../../core/money/ledger/index.ts'
import type { Kobo } from '../../kernel/money.ts'

/** Returns the journal key of the charge for a request. */
export const verificationKey = (name: string): string => `verification/${name}`

/** Returns the journal of the charge for a verification, paid from the wallet. */
export const verificationJournal = (
  { id, walletAccountNumber }: Merchant,
  name: string,
  what: string,
  price: Kobo,
): Journal => ({
  merchantId: id,
  key: verificationKey(name),
  memo: `Verification ${what}`,
  moves: [{ from: accounts.wallet(walletAccountNumber), to: accounts.fees('verification'), amount: price }],
})
