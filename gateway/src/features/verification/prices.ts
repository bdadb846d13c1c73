import { accounts, type Journal } from '../../core/ledger/index.ts'
import type { Merchant } from '../../core/merchants/index.ts'
import { type Kobo, kobo } from '../../kernel/money.ts'

/** What can be asked of the registers. */
export type Check = 'BVN details' | 'BVN account' | 'NIN details'

/** What an answer costs in live. In the sandbox answers are free. */
export const PRICES: Readonly<Record<Check, Kobo>> = {
  'BVN details': kobo(1_000n),
  'BVN account': kobo(1_000n),
  'NIN details': kobo(6_000n),
}

/** A verification was answered: the wallet pays for it. */
export const verificationJournal = (
  { id, walletAccountNumber }: Merchant,
  reference: string,
  check: Check,
): Journal => ({
  merchantId: id,
  key: `verification/${reference}`,
  memo: `Verification ${check} ${reference}`,
  moves: [{ from: accounts.wallet(walletAccountNumber), to: accounts.fees('verification'), amount: PRICES[check] }],
})
