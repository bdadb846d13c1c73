import { readFileSync } from 'node:fs'
import type { Bank } from './bank.ts'
import { readBanks } from './csv.ts'

/** The banks, in the order in which the API lists them. */
export interface BankList {
  readonly all: readonly Bank[]
  /** Those that can be chosen. */
  readonly offered: readonly Bank[]
  readonly byCode: ReadonlyMap<string, Bank>
}

export const bankList = (all: readonly Bank[]): BankList => ({
  all,
  offered: all.filter(({ disabledAt }) => disabledAt === null),
  byCode: new Map(all.map((bank) => [bank.code, bank])),
})

/** The list that the program brings along, for a database that has none yet. */
export const SHIPPED = readBanks(readFileSync(new URL('banks.csv', import.meta.url), 'utf8'))

const shipped = bankList(
  SHIPPED.map(({ isOffered, ...bank }) => ({ ...bank, disabledAt: isOffered ? null : new Date(0) })),
)

/**
 * Where this process has its list from, the newest last. It is the process's own and not handed from part to part: a bank's name stands in answers,
 * events, mails and pages, which are made by functions that need nothing else.
 */
const kept: (() => BankList)[] = []

/** Has this process answer from a list, until what is answered is called. */
export function answerFrom(present: () => BankList): () => void {
  kept.push(present)
  return () => {
    kept.splice(kept.indexOf(present), 1)
  }
}

const present = (): BankList => kept.at(-1)?.() ?? shipped

/** Every bank that there is or was. */
export const knownBanks = (): readonly Bank[] => present().all

/** The banks that can be chosen. */
export const offeredBanks = (): readonly Bank[] => present().offered

/** A bank by its code, also one that is no longer offered: for what was done before. */
export const findBank = (code: string): Bank | undefined => present().byCode.get(code)

/** A bank that can be chosen, and for that which is named. */
export function findOfferedBank(code: string, use?: 'transfers' | 'directDebit'): Bank | undefined {
  const bank = findBank(code)
  return bank?.disabledAt === null && (use === undefined || bank[use]) ? bank : undefined
}

/** Finds a bank that customers can dial: by `*737#`, `737` or its bank code. */
export function findUssdBank(text: string): Bank | undefined {
  const digits = text.replace(/^\*|#$/g, '')
  return offeredBanks().find(
    ({ code, baseUssdCode }) => baseUssdCode !== null && (baseUssdCode === `*${digits}#` || code === text),
  )
}
