import { readCamt } from './camt.ts'
import { readCsv } from './csv.ts'
import type { Mapping } from './mapping.ts'
import { readMt940 } from './mt940.ts'
import { checkStatement, FILE_BYTES_MAX, type Statement, StatementError } from './statement.ts'

/** Reads the statements of a file in any format; rejects the whole file if one does not add up. */
export function readStatements(bytes: Buffer, mapping: Mapping): readonly Statement[] {
  if (bytes.length > FILE_BYTES_MAX) throw new StatementError(`The file may have at most ${FILE_BYTES_MAX} bytes.`)
  const text = textIn(bytes)
  const statements = formatOf(text)(text, mapping)
  for (const statement of statements) checkStatement(statement)
  return statements
}

/** Decodes UTF-8, or Latin-1 as older bank systems write. */
function textIn(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return bytes.toString('latin1')
  }
}

/** How many characters are read to recognize the format. */
const BEGINNING_LENGTH = 2_000

function formatOf(text: string): (text: string, mapping: Mapping) => readonly Statement[] {
  const beginning = text.slice(0, BEGINNING_LENGTH)
  if (/^\uFEFF?\s*</.test(beginning)) return readCamt
  return /^(?:\{[1-4]:|\s*:20:)/m.test(beginning) ? readMt940 : readCsv
}
