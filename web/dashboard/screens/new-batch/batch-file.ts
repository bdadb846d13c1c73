import { readKobo } from '../../../ui/money.ts'
import { readCsv } from './csv.ts'

/** A row of a batch file, with its error if it has one. */
export interface BatchRow {
  /** The row number that a spreadsheet shows. */
  readonly line: number
  readonly accountNumber: string
  readonly bankCode: string
  readonly accountName: string
  readonly amount: string
  readonly narration: string
  readonly reference: string
  readonly problem: string | undefined
}

export interface BatchFile {
  readonly rows: readonly BatchRow[]
  /** The error of the file as a whole. */
  readonly problem: string | undefined
}

export const ROWS_MAX = 10_000
export const FILE_BYTES_MAX = 5_000_000

/** The accepted names of each column, in lower case and without spaces. */
const COLUMNS = {
  accountNumber: ['accountnumber', 'account', 'nuban', 'destinationaccountnumber'],
  bankCode: ['bankcode', 'bank', 'destinationbankcode'],
  accountName: ['accountname', 'name', 'beneficiary', 'destinationaccountname'],
  amount: ['amount'],
  narration: ['narration', 'description', 'for'],
  reference: ['reference'],
} as const
type Name = keyof typeof COLUMNS
const REQUIRED: readonly Name[] = ['accountNumber', 'bankCode', 'amount']

const ACCOUNT_NUMBER = /^\d{10}$/
const REFERENCE = /^[\w.:|-]{1,64}$/

interface BatchContext {
  readonly bankCodes: ReadonlySet<string>
  /** The prefix of generated references, for rows without one. */
  readonly batchReference: string
}

/** Reads a batch file and checks every row. */
export function readBatch(text: string, context: BatchContext): BatchFile {
  const [head, ...lines] = readCsv(text)
  if (head === undefined) return { rows: [], problem: 'The file is empty.' }
  if (lines.length > ROWS_MAX)
    return { rows: [], problem: `The file has ${lines.length} rows. A batch can have at most ${ROWS_MAX}.` }
  const positions = columnPositions(head)
  const missing = REQUIRED.filter((name) => !positions.has(name))
  if (missing.length > 0)
    return { rows: [], problem: `The first row must name the columns. Missing: ${missing.join(', ')}.` }
  if (lines.length === 0)
    return { rows: [], problem: 'The file has column titles but no transfers. Add a row for each transfer.' }
  const seen = new Map<string, number>()
  const rows = lines.map((cells, index) => {
    const row = rowOf(cells, positions, index, context)
    const first = seen.get(row.reference)
    seen.set(row.reference, first ?? row.line)
    const problem =
      problemOf(row, context) ?? (first === undefined ? undefined : `Reference already used in row ${first}`)
    return { ...row, problem }
  })
  return { rows, problem: undefined }
}

function columnPositions(head: readonly string[]): ReadonlyMap<Name, number> {
  const names = head.map((title) => title.toLowerCase().replaceAll(/[\s_-]/g, ''))
  return new Map(
    (Object.keys(COLUMNS) as Name[]).flatMap((name) => {
      const position = names.findIndex((title) => (COLUMNS[name] as readonly string[]).includes(title))
      return position < 0 ? [] : [[name, position] as const]
    }),
  )
}

function rowOf(
  cells: readonly string[],
  positions: ReadonlyMap<Name, number>,
  index: number,
  { batchReference }: BatchContext,
): Omit<BatchRow, 'problem'> {
  const cell = (name: Name): string => cells[positions.get(name) ?? -1] ?? ''
  const number = cell('accountNumber').replaceAll(/\s/g, '')
  return {
    line: index + 2,
    // Spreadsheets drop the leading zeros of numbers.
    accountNumber: /^\d{7,9}$/.test(number) ? number.padStart(10, '0') : number,
    bankCode: /^\d{1,2}$/.test(cell('bankCode')) ? cell('bankCode').padStart(3, '0') : cell('bankCode'),
    accountName: cell('accountName'),
    amount: cell('amount').replaceAll(/[₦,\s]/g, ''),
    narration: cell('narration'),
    reference: cell('reference') === '' ? `${batchReference}-${index + 1}` : cell('reference'),
  }
}

function problemOf(row: Omit<BatchRow, 'problem'>, { bankCodes }: BatchContext): string | undefined {
  if (!ACCOUNT_NUMBER.test(row.accountNumber)) return 'Account number must have 10 digits'
  if (!bankCodes.has(row.bankCode))
    return row.bankCode === '' ? 'Bank code is missing' : `Unknown bank code ${row.bankCode}`
  if ((readKobo(row.amount) ?? 0) <= 0) return 'Amount must be a number above zero'
  if (!REFERENCE.test(row.reference)) return 'Reference must have 1 to 64 letters, digits or . : | - _'
  return undefined
}

/** The total of all valid rows, in kobo. */
export const totalKobo = (rows: readonly BatchRow[]): number =>
  rows.reduce((sum, { amount, problem }) => sum + (problem === undefined ? (readKobo(amount) ?? 0) : 0), 0)
