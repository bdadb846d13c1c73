/** Spreadsheets know by it that a file is UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF'

/** What a spreadsheet would take for a formula. A number may begin with a minus. */
const FORMULA = /^[=+\-@\t\r]/
const NUMBER = /^-?\d+(\.\d+)?$/
const NEEDS_QUOTES = /[",\r\n]/

/** A cell: texts that would be formulas begin with an apostrophe, which spreadsheets show as text. */
export function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** A line of a file, with the line end that the format asks for. */
export const line = (values: readonly unknown[]): string => `${values.map(cell).join(',')}\r\n`
