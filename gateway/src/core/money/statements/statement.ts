import { dayText, fromDay } from '../../../kernel/dates.ts'
import { type Kobo, kobo } from '../../../kernel/money.ts'

/** Why a statement is not taken. The whole file is not, then. */
export class StatementError extends Error {}

/** Money that a bank says came or went. */
export interface StatementLine {
  /** The day on which the bank has booked it, counted from 1970. */
  readonly day: number
  /** Above zero where it came in, below where it went out. */
  readonly amount: Kobo
  /** Whether the bank took it for itself. */
  readonly isFee: boolean
  /** What the bank calls it. */
  readonly bankReference: string | null
  /** What else it may be known by: our reference, the payer's bank's. */
  readonly references: readonly string[]
  /** The account of ours on which it arrived, where the bank says that. */
  readonly accountNumber: string | null
  /** Who paid, or was paid. */
  readonly name: string | null
  readonly narration: string | null
}

/** What a bank says it holds for us at the end of a day. */
export interface Balance {
  readonly day: number
  readonly amount: Kobo
  /** Whether the statement goes on after it, so that it is not the day's. */
  readonly isInterim: boolean
}

/** A statement as a file has it: what was there, what came and went, and what is there then. */
export interface Statement {
  /** The account at the bank, where the file tells. */
  readonly account: string | null
  /** At the end of the day before, or wherever it begins. */
  readonly opening: Balance | null
  readonly closing: Balance | null
  /** Oldest first. A large file's are read anew whenever they are walked, so that they are never all in memory. */
  readonly lines: Iterable<StatementLine>
  readonly lineCount: number
}

export const CURRENCY = 'NGN'
/** More than a large bank's day in the most talkative format. */
export const FILE_BYTES_MAX = 256 * 1_024 * 1_024
export const LINES_MAX = 500_000
const REFERENCE_LENGTH_MAX = 100
const TEXT_LENGTH_MAX = 500

/** An amount with two decimals at most, by a point or a comma; thousands are set apart by commas where the decimals have a point. */
const AMOUNT = /^(-?)(\d{1,3}(?:,\d{3})+|\d{1,13})(?:\.(\d{0,2})0{0,3})?$/

/** An amount as banks write it, its sign with it; undefined where it is none. Its digits are read, never multiplied. */
export function readAmount(text: string): Kobo | undefined {
  const [, sign, whole, fraction = ''] = AMOUNT.exec(text.trim()) ?? []
  if (whole === undefined) return undefined
  const amount = BigInt(whole.replaceAll(',', '') + fraction.padEnd(2, '0'))
  return kobo(sign === '-' ? -amount : amount)
}

export const signed = (amount: Kobo, isIn: boolean): Kobo => (isIn ? amount : kobo(-amount))

const DAY_MILLISECONDS = 86_400_000

/** A day as 2026-11-16, counted from 1970; undefined where there is none. */
export function readDay(text: string): number | undefined {
  const moment = fromDay(text)
  return moment === undefined ? undefined : moment.getTime() / DAY_MILLISECONDS
}

/** Text without what only a printer needs, bounded. */
const bounded = (text: string, lengthMax: number): string =>
  text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, lengthMax)
    .toWellFormed()

/** What a bank wrote, as it is kept. */
export const shortText = (text: string | null | undefined): string | null =>
  bounded(text ?? '', TEXT_LENGTH_MAX) || null

/** What names nothing: banks write it where there is no reference. */
const NO_REFERENCE = /^(NONREF|NOTPROVIDED|N\/?A|NIL|NONE|-+|0+)?$/i

/** References as they are kept: each once, bounded, without those that name nothing. */
export const someReferences = (...written: readonly (string | null | undefined)[]): readonly string[] => [
  ...new Set(
    written.flatMap((one) => {
      const text = bounded(one ?? '', REFERENCE_LENGTH_MAX)
      return NO_REFERENCE.test(text) ? [] : text
    }),
  ),
]

/** Refuses a statement that does not add up: opening balance and lines are the closing balance. */
export function checkStatement(statement: Statement): void {
  const { opening, closing, lines, lineCount } = statement
  if (lineCount > LINES_MAX) throw new StatementError(`A statement may have ${LINES_MAX} lines at most.`)
  let [sum, lastDay] = [0n, 0]
  for (const { day, amount } of lines) {
    if (amount === 0n) throw new StatementError(`A line of ${dayText(day)} has no amount.`)
    sum += amount
    lastDay = Math.max(lastDay, day)
  }
  if (opening === null || closing === null) return
  const balance = opening.amount + sum
  if (balance !== closing.amount)
    throw new StatementError(
      `The statement does not add up: with its lines the opening balance becomes ${balance} kobo, and the closing balance is ${closing.amount} kobo.`,
    )
  if (lastDay > closing.day)
    throw new StatementError(
      `A line of ${dayText(lastDay)} stands in a statement that ends on ${dayText(closing.day)}.`,
    )
}

/** Words in what the bank wrote by which a line is known as the bank's own charge. */
export function isFeeText(words: readonly string[], ...texts: readonly (string | null)[]): boolean {
  const lower = texts.map((text) => text?.toLowerCase() ?? '')
  return words.some((word) => lower.some((text) => text.includes(word.toLowerCase())))
}
