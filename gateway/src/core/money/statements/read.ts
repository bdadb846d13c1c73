import { readCamt } from './camt.ts'
import { readCsv } from './csv.ts'
import type { Mapping } from './mapping.ts'
import { readMt940 } from './mt940.ts'
import { checkStatement, FILE_BYTES_MAX, type Statement, StatementError } from './statement.ts'

/** Reads the statements of a file, whatever its format, and refuses the whole file where one of them does not add up. */
export function readStatements(bytes: Buffer, mapping: Mapping): readonly Statement[] {
  if (bytes.length > FILE_BYTES_MAX) throw new StatementError(`The file may have ${FILE_BYTES_MAX} bytes at most.`)
  const text = textIn(bytes)
  const statements = formatOf(text)(text, mapping)
  for (const statement of statements) checkStatement(statement)
  return statements
}

/** UTF-8; what is not, as older banks write, by its single bytes. */
function textIn(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return bytes.toString('latin1')
  }
}

/** How far into a file its beginning is looked for. */
const BEGINNING_LENGTH = 2_000

function formatOf(text: string): (text: string, mapping: Mapping) => readonly Statement[] {
  const beginning = text.slice(0, BEGINNING_LENGTH)
  if (/^\uFEFF?\s*</.test(beginning)) return readCamt
  return /^(?:\{[1-4]:|\s*:20:)/m.test(beginning) ? readMt940 : readCsv
}
