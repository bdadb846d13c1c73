/** Parses a CSV file: separated by commas, semicolons or tabs, with or without quotes. */
export function readCsv(text: string): readonly (readonly string[])[] {
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
