/** Spreadsheets treat a file that starts with this character as UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF'

/**
 * Matches where a spreadsheet may see the start of a formula: at the start of a text, or after a character that may be
 * the delimiter.
 */
const FORMULA = /(^|[;\t\r\n])([\s"]*)(?=[=+\-@])/g
const NUMBER = /^-?\d+(\.\d+)?$/

/** Writes a cell. Texts are quoted, and a formula gets an apostrophe in front, which makes it a text. */
export function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return String(value)
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  const safe = NUMBER.test(text) ? text : text.replace(FORMULA, "$1$2'")
  return `"${safe.replaceAll('"', '""')}"`
}

/** Digits that a spreadsheet would read as a number: it drops leading zeros and rounds after 15 digits. */
const LONG_DIGITS = /^(0\d+|\d{10,})$/

/** Writes a cell for spreadsheets, so that account numbers and session IDs keep all their digits. */
export const spreadsheetCell = (value: unknown): string =>
  typeof value === 'string' && LONG_DIGITS.test(value) ? `"=""${value}"""` : cell(value)

/** A line of a file, with the line end that CSV requires. */
export const line = (values: readonly unknown[]): string => `${values.map(cell).join(',')}\r\n`

/** A line for spreadsheets, with all digits of account numbers and session IDs. */
export const spreadsheetLine = (values: readonly unknown[]): string => `${values.map(spreadsheetCell).join(',')}\r\n`

/** Why a text is not a valid CSV file. */
export class CsvError extends Error {}

/** The start of a record: its offset in the text, and its line number. */
export interface RecordStart {
  readonly at: number
  readonly number: number
}

export interface CsvRecord {
  readonly start: RecordStart
  readonly cells: readonly string[]
}

const CELLS_MAX = 100

/** Reads the records of a CSV file. Quoted cells may contain the delimiter, line breaks and doubled quotes. */
export function* readRecords(
  text: string,
  delimiter = ',',
  from: RecordStart = { at: text.startsWith(BYTE_ORDER_MARK) ? 1 : 0, number: 1 },
): Generator<CsvRecord> {
  let { at, number } = from
  while (at < text.length) {
    const start: RecordStart = { at, number }
    const cells: string[] = []
    for (;;) {
      const { value, next } = text[at] === '"' ? quotedCell(text, at) : plainCell(text, at, delimiter)
      cells.push(value)
      number += lineEndsIn(value)
      if (cells.length > CELLS_MAX) throw new CsvError(`Line ${start.number} has more than ${CELLS_MAX} values.`)
      at = next
      if (text[at] !== delimiter) break
      at++
    }
    if (at < text.length && text[at] !== '\n' && text[at] !== '\r')
      throw new CsvError(`Line ${start.number}: text after the closing quote.`)
    at += text.startsWith('\r\n', at) ? 2 : 1
    number++
    yield { start, cells }
  }
}

const lineEndsIn = (text: string): number => (text.includes('\n') ? text.split('\n').length - 1 : 0)

function quotedCell(text: string, from: number): { readonly value: string; readonly next: number } {
  let at = from + 1
  for (;;) {
    const quote = text.indexOf('"', at)
    if (quote === -1) throw new CsvError('The file ends inside quotes.')
    if (text[quote + 1] !== '"') return { value: text.slice(from + 1, quote).replaceAll('""', '"'), next: quote + 1 }
    at = quote + 2
  }
}

function plainCell(text: string, from: number, delimiter: string): { readonly value: string; readonly next: number } {
  let at = from
  while (at < text.length && text[at] !== delimiter && text[at] !== '\n' && text[at] !== '\r') at++
  return { value: text.slice(from, at), next: at }
}
