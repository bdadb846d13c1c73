import { readFileSync } from 'node:fs'
import { invariant } from '../../../kernel/errors.ts'

/** A bank as customers and other banks know it. */
export interface Bank {
  readonly code: string
  readonly name: string
  /** What a customer dials to reach the bank, as `*737#`. */
  readonly baseUssdCode: string | null
  /** What a customer dials to pay, with `Amount` and `AccountNumber` to be filled in. */
  readonly ussdTemplate: string | null
  /** The institution's number among banks: six digits that start every session id. */
  readonly nipBankCode: string
}

/** Every bank, in the order in which the API lists them. */
export const BANKS: readonly Bank[] = readFileSync(new URL('banks.csv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [code = '', name = '', baseUssdCode = '', ussdTemplate = '', nipBankCode = ''] = line.split(',')
    return { code, name, baseUssdCode: baseUssdCode || null, ussdTemplate: ussdTemplate || null, nipBankCode }
  })

const byCode = new Map(BANKS.map((bank) => [bank.code, bank]))

export const findBank = (code: string): Bank | undefined => byCode.get(code)

/** Finds a bank that customers can dial: by `*737#`, `737` or its bank code. */
export function findUssdBank(text: string): Bank | undefined {
  const digits = text.replace(/^\*|#$/g, '')
  return BANKS.find(
    ({ code, baseUssdCode }) => baseUssdCode !== null && (baseUssdCode === `*${digits}#` || code === text),
  )
}

function known(code: string): Bank {
  const bank = findBank(code)
  invariant(bank !== undefined, `bank ${code} is in banks.csv`)
  return bank
}

/** Banks at which accounts are opened for merchants; the first one where nobody chooses. */
export const PARTNER_BANKS = [known('035'), known('232'), known('50515')] as const
export const DEFAULT_BANK: Bank = PARTNER_BANKS[0]
/** The bank at which merchants' wallets have their account numbers. */
export const WALLET_BANK: Bank = known('50515')

export const findPartnerBank = (code: string): Bank | undefined => PARTNER_BANKS.find((bank) => bank.code === code)
