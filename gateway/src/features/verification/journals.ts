import type { Merchant } from '../../core/merchants/index.ts'
import { accounts, type Journal } from '../../core/money/ledger/index.ts'
import type { Kobo } from '../../kernel/money.ts'

/** What a charge is posted under: the name of the request. */
export const verificationKey = (name: string): string => `verification/${name}`

/** A verification was answered: the wallet pays for it. */
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
