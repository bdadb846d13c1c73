import { readFileSync } from 'node:fs'
import type { Bank } from './bank.ts'
import { readBanks } from './csv.ts'

/** The banks, in the order of the API. */
export interface BankList {
  readonly all: readonly Bank[]
  /** Banks that can be chosen. */
  readonly offered: readonly Bank[]
  readonly byCode: ReadonlyMap<string, Bank>
}

export const bankList = (all: readonly Bank[]): BankList => ({
  all,
  offered: all.filter(({ disabledAt }) => disabledAt === null),
  byCode: new Map(all.map((bank) => [bank.code, bank])),
})

/** The list that ships with the program, for a new database. */
export const SHIPPED = readBanks(readFileSync(new URL('banks.csv', import.meta.url), 'utf8'))

const shipped = bankList(
  SHIPPED.map(({ isOffered, ...bank }) => ({ ...bank, disabledAt: isOffered ? null : new Date(0) })),
)

/**
 * The bank lists in use in this process, newest last. They are global, because responses, events, mails and pages all
 * need bank names.
 */
const lists: (() => BankList)[] = []

/** Makes this process use a bank list. The returned function undoes that. */
export function setBankList(present: () => BankList): () => void {
  lists.push(present)
  return () => {
    lists.splice(lists.indexOf(present), 1)
  }
}

const present = (): BankList => lists.at(-1)?.() ?? shipped

/** Returns all banks, including disabled ones. */
export const knownBanks = (): readonly Bank[] => present().all

/** Banks that can be chosen. */
export const offeredBanks = (): readonly Bank[] => present().offered

/** Finds a bank by code, including disabled ones. */
export const findBank = (code: string): Bank | undefined => present().byCode.get(code)

/** Returns a bank's name, or its code if the bank is unknown. */
export const bankName = (code: string): string => findBank(code)?.name ?? code

/** Finds a bank that can be chosen (for the given use, if any). */
export function findOfferedBank(code: string, use?: 'transfers' | 'directDebit'): Bank | undefined {
  const bank = findBank(code)
  return bank?.disabledAt === null && (use === undefined || bank[use]) ? bank : undefined
}

/** Finds a bank by its USSD code (`*737#` or `737`) or its bank code. */
export function findUssdBank(text: string): Bank | undefined {
  const digits = text.replace(/^\*|#$/g, '')
  return offeredBanks().find(
    ({ code, baseUssdCode }) => baseUssdCode !== null && (baseUssdCode === `*${digits}#` || code === text),
  )
}
