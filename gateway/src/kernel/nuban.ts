import { invariant } from './errors.ts'

const WEIGHTS = [3, 7, 3]
const SERIAL_LENGTH = 9

/** Builds a ten-digit account number from a nine-digit serial and the check digit of the central bank's 2018 rule. */
export function nuban(bankCode: string, serial: string): string {
  invariant(/^\d{9}$/.test(serial), 'a NUBAN serial has nine digits')
  return serial + checkDigit(bankCode, serial)
}

/** Whether an account number's check digit is right for its bank. */
export const isNuban = (bankCode: string, accountNumber: string): boolean =>
  /^\d{10}$/.test(accountNumber) && accountNumber === nuban(bankCode, accountNumber.slice(0, SERIAL_LENGTH))

function checkDigit(bankCode: string, serial: string): string {
  const digits = institution(bankCode) + serial
  let total = 0
  for (let i = 0; i < digits.length; i++) total += Number(digits[i]) * (WEIGHTS[i % WEIGHTS.length] ?? 0)
  return String((10 - (total % 10)) % 10)
}

/** Returns the six-digit institution code. A bank code of five digits gets a 9 in front; shorter codes get zeros. */
function institution(bankCode: string): string {
  invariant(/^\d{3,6}$/.test(bankCode), 'a bank code has three to six digits')
  return bankCode.length === 5 ? `9${bankCode}` : bankCode.padStart(6, '0')
}
