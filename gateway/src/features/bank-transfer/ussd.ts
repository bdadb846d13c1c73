import type { Bank } from '../../core/money/bank-list/index.ts'
import { type Kobo, toNairaText } from '../../kernel/money.ts'

/** What a customer of a bank dials to pay an amount into an account, or null where the bank has no such code. */
export function ussdText(bank: Bank, accountNumber: string, amount: Kobo): string | null {
  if (bank.ussdTemplate === null) return null
  const naira = toNairaText(amount).replace(/\.00$/, '')
  return bank.ussdTemplate.replace('AccountNumber', accountNumber).replace('Amount', naira)
}
