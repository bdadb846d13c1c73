import type { CsvFile } from '@kobo/contract'
import { spaced } from '../../../kernel/dates.ts'
import { BYTE_ORDER_MARK, line, spreadsheetLine } from '../../../platform/formats/csv.ts'

/** This column is left out, because an id serves only to page through a list. */
const HIDDEN = 'id'
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/

/** Writes the lines of a CSV file for spreadsheets: titles in words, times in Lagos time. */
export async function* linesOf(
  row: CsvFile['row'],
  pages: AsyncIterable<readonly object[]>,
  mask: (one: object) => object,
): AsyncGenerator<string> {
  const columns = Object.keys(row.properties).filter((name) => name !== HIDDEN)
  yield BYTE_ORDER_MARK + line(columns.map(titleOf))
  for await (const page of pages) {
    const rows = page.map(mask) as readonly Readonly<Record<string, unknown>>[]
    if (rows.length > 0)
      yield rows.map((one) => spreadsheetLine(columns.map((column) => inLagos(one[column])))).join('')
  }
}

/** Turns `transactionReference` into "Transaction reference" and `createdOn` into "Created (WAT)". */
function titleOf(name: string): string {
  const words = name
    .replace(/On$/, '')
    .replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replaceAll(/\b(id|ip|url)\b/g, (word) => word.toUpperCase())
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${name.endsWith('On') ? ' (WAT)' : ''}`
}

/** Converts a time to Lagos time in a format that spreadsheets read. Returns other values unchanged. */
const inLagos = (value: unknown): unknown =>
  typeof value === 'string' && INSTANT.test(value) ? spaced(new Date(value)) : value
