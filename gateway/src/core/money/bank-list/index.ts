import { readFileSync } from 'node:fs'

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
