import { dayText, fromDay } from '../../kernel/dates.ts'
import { type Kobo, kobo } from '../../kernel/money.ts'

/** Why a statement, and with it the whole file, is rejected. */
export class StatementError extends Error {}

/** Money that a bank reports as received or paid. */
export interface StatementLine {
  /** The booking day, in days since 1970. */
  readonly day: number
  /** Positive for incoming, negative for outgoing money. */
  readonly amount: Kobo
  /** Whether it is the bank's own charge. */
  readonly isFee: boolean
  readonly bankReference: string | null
  /** Other references: ours, or the payer's bank's. */
  readonly references: readonly string[]
  /** Our account number that received the money, if the bank reports it. */
  readonly accountNumber: string | null
  /** The payer or payee. */
  readonly name: string | null
  readonly narration: string | null
}

/** A bank's balance at the end of a day. */
export interface Balance {
  readonly day: number
  readonly amount: Kobo
  /** Whether the statement continues after this balance, so that it is not the day's closing balance. */
  readonly isInterim: boolean
}

/** A statement: opening balance, lines, closing balance. */
export interface Statement {
  readonly account: string | null
  /** The balance at the end of the previous day, or at the start of the statement. */
  readonly opening: Balance | null
  readonly closing: Balance | null
  /** Oldest first. Lines of a large file are parsed again on each pass, so they are never all in memory. */
  readonly lines: Iterable<StatementLine>
  readonly lineCount: number
}

export const CURRENCY = 'NGN'
/** Larger than the statement of a large bank for one day, in the most verbose format. */
export const FILE_BYTES_MAX = 256 * 1_024 * 1_024
export const LINES_MAX = 500_000
const REFERENCE_LENGTH_MAX = 100
const TEXT_LENGTH_MAX = 500

/** An amount with a decimal point and at most two decimals before any zeros. Thousands may be separated by commas. */
const AMOUNT = /^(-?)(\d{1,3}(?:,\d{3})+|\d{1,13})(?:\.(\d{0,2})0{0,3})?$/

/**
 * Reads an amount as banks write it, with its sign; undefined if invalid. It is computed from its digits, without
 * floating point.
 */
export function readAmount(text: string): Kobo | undefined {
  const [, sign, whole, fraction = ''] = AMOUNT.exec(text.trim()) ?? []
  if (whole === undefined) return undefined
  const amount = BigInt(whole.replaceAll(',', '') + fraction.padEnd(2, '0'))
  return kobo(sign === '-' ? -amount : amount)
}

export const signed = (amount: Kobo, isIn: boolean): Kobo => (isIn ? amount : kobo(-amount))

const DAY_MILLISECONDS = 86_400_000

/** Reads a day such as 2026-11-16 and returns it in days since 1970; undefined if invalid. */
export function readDay(text: string): number | undefined {
  const moment = fromDay(text)
  return moment === undefined ? undefined : moment.getTime() / DAY_MILLISECONDS
}

/** Replaces control characters and white space by single spaces, and cuts the text to a length. */
const cleanText = (text: string, lengthMax: number): string =>
  text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, lengthMax)
    .toWellFormed()

/** Returns a bank's text in the form in which it is stored. */
export const shortText = (text: string | null | undefined): string | null =>
  cleanText(text ?? '', TEXT_LENGTH_MAX) || null

/** Placeholders that banks write instead of a reference. */
const NO_REFERENCE = /^(NONREF|NOTPROVIDED|N\/?A|NIL|NONE|-+|0+)?$/i

/** Returns references in the form in which they are stored: unique, limited in length, without placeholders. */
export const someReferences = (...written: readonly (string | null | undefined)[]): readonly string[] => [
  ...new Set(
    written.flatMap((one) => {
      const text = cleanText(one ?? '', REFERENCE_LENGTH_MAX)
      return NO_REFERENCE.test(text) ? [] : text
    }),
  ),
]

/** Rejects a statement whose opening balance and lines do not give the closing balance. */
export function checkStatement(statement: Statement): void {
  const { opening, closing, lines, lineCount } = statement
  if (lineCount > LINES_MAX) throw new StatementError(`A statement may have at most ${LINES_MAX} lines.`)
  let [sum, lastDay] = [0n, 0]
  for (const { day, amount } of lines) {
    if (amount === 0n) throw new StatementError(`A line dated ${dayText(day)} has no amount.`)
    sum += amount
    lastDay = Math.max(lastDay, day)
  }
  if (opening === null || closing === null) return
  const balance = opening.amount + sum
  if (balance !== closing.amount)
    throw new StatementError(
      `The statement does not add up: the opening balance plus its lines is ${balance} kobo, but the closing balance is ${closing.amount} kobo.`,
    )
  if (lastDay > closing.day)
    throw new StatementError(`A line dated ${dayText(lastDay)} is in a statement that ends on ${dayText(closing.day)}.`)
}

/** Whether a text contains one of the words that mark the bank's own charges. */
export function isFeeText(words: readonly string[], ...texts: readonly (string | null)[]): boolean {
  const lower = texts.map((text) => text?.toLowerCase() ?? '')
  return words.some((word) => lower.some((text) => text.includes(word.toLowerCase())))
}
