/** The columns of a kind of CSV file. */
interface CsvFormat<Name extends string> {
  /** The accepted titles of each column, in lower case and without spaces. */
  readonly columns: Readonly<Record<Name, readonly string[]>>
  readonly required: readonly NoInfer<Name>[]
  readonly rowsMax: number
  /** The name of one row: "transfer". */
  readonly row: string
}

/** A row of a CSV file by column name; a missing cell is empty. */
export interface CsvRow<Name extends string> {
  /** The row number that a spreadsheet shows. */
  readonly line: number
  readonly cell: (name: Name) => string
}

export interface CsvTable<Row> {
  readonly rows: readonly Row[]
  /** The error of the file as a whole. */
  readonly problem: string | undefined
}

/** Reads a CSV file whose first row names its columns. */
export function readTable<Name extends string>(text: string, format: CsvFormat<Name>): CsvTable<CsvRow<Name>> {
  const [head, ...lines] = readCsv(text)
  const failed = (problem: string): CsvTable<CsvRow<Name>> => ({ rows: [], problem })
  if (head === undefined) return failed('The file is empty.')
  if (lines.length > format.rowsMax)
    return failed(`The file has ${lines.length} rows. A file can have at most ${format.rowsMax}.`)
  const titles = head.map((title) => title.toLowerCase().replaceAll(/[\s_-]/g, ''))
  const position = (name: Name): number => titles.findIndex((title) => format.columns[name].includes(title))
  const missing = format.required.filter((name) => position(name) < 0)
  if (missing.length > 0) return failed(`The first row must name the columns. Missing: ${missing.join(', ')}.`)
  if (lines.length === 0)
    return failed(`The file has column titles but no ${format.row}s. Add a row for each ${format.row}.`)
  const rows = lines.map((cells, index) => ({ line: index + 2, cell: (name: Name) => cells[position(name)] ?? '' }))
  return { rows, problem: undefined }
}

/** Parses a CSV file: separated by commas, semicolons or tabs, with or without quotes. */
function readCsv(text: string): readonly (readonly string[])[] {
  const plain = text.replace(/^\uFEFF/, '')
  const first = plain.split(/\r?\n/, 1)[0] ?? ''
  const separator = [',', ';', '\t'].find((mark) => first.includes(mark)) ?? ','
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  while (at < plain.length) {
    const { value, end } = plain[at] === '"' ? quotedCell(plain, at) : plainCell(plain, at, separator)
    row.push(value.trim())
    at = end
    if (plain[at] === separator) {
      at += 1
      if (at < plain.length && !'\r\n'.includes(plain[at] ?? '')) continue
      row.push('')
    }
    if (plain[at] === '\r') at += 1
    if (plain[at] === '\n' || at >= plain.length) {
      at += 1
      rows.push(row)
      row = []
    }
  }
  if (row.length > 0) rows.push(row)
  return rows.filter((cells) => cells.some((value) => value !== ''))
}

interface Cell {
  readonly value: string
  readonly end: number
}

function quotedCell(text: string, start: number): Cell {
  let value = ''
  let at = start + 1
  while (at < text.length) {
    if (text[at] !== '"') value += text[at]
    else if (text[at + 1] === '"') {
      value += '"'
      at += 1
    } else return { value, end: at + 1 }
    at += 1
  }
  return { value, end: at }
}

function plainCell(text: string, start: number, separator: string): Cell {
  let end = start
  while (end < text.length && text[end] !== separator && text[end] !== '\n' && text[end] !== '\r') end += 1
  return { value: text.slice(start, end), end }
}
