import { join } from 'node:path'
import { transactionIdOf } from '../../kernel/ids.ts'
import { fileOf, monthsIn, readMonthManifest, readRows } from './files.ts'
import { ARCHIVED, type Month, monthOfRow } from './months.ts'

/** So many rows of one reference are shown. */
export const FOUND_MAX = 1_000

/** A row of an archive that names what was looked for, or belongs to one that does. */
export interface FoundRow {
  readonly month: Month
  readonly table: string
  readonly row: Record<string, unknown>
}

/**
 * The rows of an archive that name a reference, with the payments of transactions and the attempts of events among them. A
 * transaction reference says its month, so that earlier ones are not looked at.
 */
export async function findInArchive(
  folder: string,
  reference: string,
  onMonth: (done: number, months: number) => void,
): Promise<readonly FoundRow[]> {
  const from = monthOfReference(reference)
  const months = (await monthsIn(folder)).filter((month) => from === undefined || month >= from)
  // What was asked for, and what follows from what was found.
  const wanted = [naming(reference)]
  const found: FoundRow[] = []
  for (const [index, month] of months.entries()) {
    onMonth(index, months.length)
    const { files } = (await readMonthManifest(join(folder, month))) ?? { files: {} }
    for (const { name } of ARCHIVED.filter(({ name }) => fileOf(name) in files))
      for await (const line of readRows(join(folder, month, fileOf(name)))) {
        if (found.length >= FOUND_MAX) return found
        if (!wanted.some((pattern) => pattern.test(line))) continue
        const row = parseExactly(line)
        found.push({ month, table: name, row })
        if (name === 'transaction')
          wanted.push(naming(String(row['transaction_reference'])), new RegExp(`"transaction_id":${row['id']}\\b`))
        if (name === 'event') wanted.push(new RegExp(`"event_id":${row['id']}\\b`))
      }
  }
  onMonth(months.length, months.length)
  return found
}

/** Finds a reference in a line of JSON where it stands by itself in a text, as in the key or memo of a journal: numbers are none. */
const naming = (reference: string): RegExp => {
  const text = JSON.stringify(reference).slice(1, -1)
  return new RegExp(`(?<=["/ ])${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?=["\\\\/ ])`)
}

function monthOfReference(reference: string): Month | undefined {
  const id = transactionIdOf(reference)
  const [transactions] = ARCHIVED
  return id === undefined || transactions === undefined ? undefined : monthOfRow(transactions, id)
}

/** Parses JSON in which whole numbers may be larger than a double holds. */
const parseExactly = (line: string): Record<string, unknown> =>
  JSON.parse(line, (_, value: unknown, { source }: { source?: string } = {}) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && source !== undefined && /^-?\d+$/.test(source)
      ? BigInt(source)
      : value,
  )
