import { readKobo } from '../../../ui/money.ts'
import { type CsvRow, type CsvTable, readTable } from '../../parts/csv.ts'

/** A row of a batch file, with its error if it has one. */
export interface BatchRow {
  /** The row number that a spreadsheet shows. */
  readonly line: number
  readonly accountNumber: string
  readonly bankCode: string
  /** The bank's name; its code if there is no such bank. */
  readonly bank: string
  readonly accountName: string
  readonly amount: string
  readonly narration: string
  readonly reference: string
  readonly problem: string | undefined
  /** An earlier row with the same account and amount. */
  readonly sameAs: number | undefined
}

export const ROWS_MAX = 10_000

type FileRow = Omit<BatchRow, 'problem' | 'sameAs'>

const COLUMNS = {
  accountNumber: ['accountnumber', 'account', 'nuban', 'destinationaccountnumber'],
  bankCode: ['bankcode', 'bank', 'destinationbankcode'],
  accountName: ['accountname', 'name', 'beneficiary', 'destinationaccountname'],
  amount: ['amount'],
  narration: ['narration', 'description', 'for'],
  reference: ['reference'],
} as const
type Name = keyof typeof COLUMNS

const ACCOUNT_NUMBER = /^\d{10}$/
const REFERENCE = /^[\w.:|-]{1,64}$/

interface BatchContext {
  /** The names of the banks, by code. */
  readonly bankNames: ReadonlyMap<string, string>
  /** The prefix of generated references, for rows without one. */
  readonly batchReference: string
}

/** Reads a batch file and checks every row. */
export function readBatch(text: string, context: BatchContext): CsvTable<BatchRow> {
  const file = readTable(text, {
    columns: COLUMNS,
    required: ['accountNumber', 'bankCode', 'amount'],
    rowsMax: ROWS_MAX,
    row: 'transfer',
  })
  const seen = new Map<string, number>()
  const paid = new Map<string, number>()
  const rows = file.rows.map((cells) => {
    const row = rowOf(cells, context)
    const first = seen.get(row.reference)
    seen.set(row.reference, first ?? row.line)
    const problem =
      problemOf(row, context) ?? (first === undefined ? undefined : `Reference already used in row ${first}`)
    const payment = `${row.bankCode}/${row.accountNumber}/${readKobo(row.amount)}`
    const sameAs = paid.get(payment)
    paid.set(payment, sameAs ?? row.line)
    return { ...row, problem, sameAs }
  })
  return { ...file, rows }
}

function rowOf({ line, cell }: CsvRow<Name>, { bankNames, batchReference }: BatchContext): FileRow {
  const number = cell('accountNumber').replaceAll(/\s/g, '')
  const bankCode = /^\d{1,2}$/.test(cell('bankCode')) ? cell('bankCode').padStart(3, '0') : cell('bankCode')
  return {
    line,
    // Spreadsheets drop the leading zeros of numbers.
    accountNumber: /^\d{7,9}$/.test(number) ? number.padStart(10, '0') : number,
    bankCode,
    bank: bankNames.get(bankCode) ?? bankCode,
    accountName: cell('accountName'),
    amount: cell('amount').replaceAll(/[₦,\s]/g, ''),
    narration: cell('narration'),
    reference: cell('reference') === '' ? `${batchReference}-${line - 1}` : cell('reference'),
  }
}

function problemOf(row: FileRow, { bankNames }: BatchContext): string | undefined {
  if (!ACCOUNT_NUMBER.test(row.accountNumber)) return 'Account number must have 10 digits'
  if (!bankNames.has(row.bankCode))
    return row.bankCode === '' ? 'Bank code is missing' : `Unknown bank code ${row.bankCode}`
  if ((readKobo(row.amount) ?? 0) <= 0) return 'Amount must be a number above zero'
  if (!REFERENCE.test(row.reference)) return 'Reference must have 1 to 64 letters, digits or . : | - _'
  return undefined
}

/** The total of all valid rows, in kobo. */
export const totalKobo = (rows: readonly BatchRow[]): number =>
  rows.reduce((sum, { amount, problem }) => sum + (problem === undefined ? (readKobo(amount) ?? 0) : 0), 0)
