import type { Bank } from '../../core/bank-list/index.ts'
import { type Kobo, toNairaText } from '../../kernel/money.ts'

/** Returns the USSD text that pays an amount into an account, or null if the bank has no such code. */
export function ussdText(bank: Bank, accountNumber: string, amount: Kobo): string | null {
  if (bank.ussdTemplate === null) return null
  const naira = toNairaText(amount).replace(/\.00$/, '')
  return bank.ussdTemplate.replace('AccountNumber', accountNumber).replace('Amount', naira)
}
