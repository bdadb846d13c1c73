import { readCsv } from './csv.ts'

/** A row of a file of transfers, and what is wrong with it. */
export interface BatchRow {
  /** As spreadsheets number it. */
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
  /** What is wrong with the file as a whole. */
  readonly problem: string | undefined
}

export const ROWS_MAX = 10_000
export const FILE_BYTES_MAX = 5_000_000

/** What the columns may be called, without spaces and in small letters. */
const COLUMNS = {
  accountNumber: ['accountnumber', 'account', 'nuban', 'destinationaccountnumber'],
  bankCode: ['bankcode', 'bank', 'destinationbankcode'],
  accountName: ['accountname', 'name', 'beneficiary', 'destinationaccountname'],
  amount: ['amount'],
  narration: ['narration', 'description', 'for'],
  reference: ['reference'],
} as const
type Name = keyof typeof COLUMNS
const NEEDED: readonly Name[] = ['accountNumber', 'bankCode', 'amount']

const ACCOUNT_NUMBER = /^\d{10}$/
const AMOUNT = /^\d{1,13}(\.\d{1,2})?$/
const REFERENCE = /^[\w.:|-]{1,64}$/

interface Known {
  readonly bankCodes: ReadonlySet<string>
  /** The beginning of the references of rows that have none. */
  readonly batchReference: string
}

/** Reads a file of transfers; each row says what is wrong with it. */
export function readBatch(text: string, known: Known): BatchFile {
  const [head, ...lines] = readCsv(text)
  if (head === undefined || lines.length === 0) return { rows: [], problem: 'The file has no rows.' }
  if (lines.length > ROWS_MAX)
    return { rows: [], problem: `The file has ${lines.length} rows; a batch may have ${ROWS_MAX}.` }
  const places = placesOf(head)
  const missing = NEEDED.filter((name) => !places.has(name))
  if (missing.length > 0)
    return { rows: [], problem: `The first row must name the columns; missing: ${missing.join(', ')}.` }
  const seen = new Map<string, number>()
  const rows = lines.map((cells, index) => {
    const row = rowOf(cells, places, index, known)
    const first = seen.get(row.reference)
    seen.set(row.reference, first ?? row.line)
    const problem = problemOf(row, known) ?? (first === undefined ? undefined : `The reference of row ${first} again`)
    return { ...row, problem }
  })
  return { rows, problem: undefined }
}

function placesOf(head: readonly string[]): ReadonlyMap<Name, number> {
  const names = head.map((title) => title.toLowerCase().replaceAll(/[\s_-]/g, ''))
  return new Map(
    (Object.keys(COLUMNS) as Name[]).flatMap((name) => {
      const place = names.findIndex((title) => (COLUMNS[name] as readonly string[]).includes(title))
      return place < 0 ? [] : [[name, place] as const]
    }),
  )
}

function rowOf(
  cells: readonly string[],
  places: ReadonlyMap<Name, number>,
  index: number,
  { batchReference }: Known,
): Omit<BatchRow, 'problem'> {
  const of = (name: Name): string => cells[places.get(name) ?? -1] ?? ''
  const number = of('accountNumber').replaceAll(/\s/g, '')
  return {
    line: index + 2,
    // Spreadsheets drop zeros at the beginning of what they take for a number.
    accountNumber: /^\d{7,9}$/.test(number) ? number.padStart(10, '0') : number,
    bankCode: /^\d{1,2}$/.test(of('bankCode')) ? of('bankCode').padStart(3, '0') : of('bankCode'),
    accountName: of('accountName'),
    amount: of('amount').replaceAll(/[₦,\s]/g, ''),
    narration: of('narration'),
    reference: of('reference') === '' ? `${batchReference}-${index + 1}` : of('reference'),
  }
}

function problemOf(row: Omit<BatchRow, 'problem'>, { bankCodes }: Known): string | undefined {
  if (!ACCOUNT_NUMBER.test(row.accountNumber)) return 'The account number must have 10 digits'
  if (!bankCodes.has(row.bankCode)) return `There is no bank with the code ${row.bankCode || '(none)'}`
  if (!AMOUNT.test(row.amount) || Number(row.amount) <= 0) return 'The amount must be a number above zero'
  if (!REFERENCE.test(row.reference)) return 'The reference must have 1 to 64 letters, digits or marks'
  return undefined
}

/** What all rows come to, in naira without dust. */
export const totalOf = (rows: readonly BatchRow[]): number =>
  rows.reduce((kobo, { amount, problem }) => kobo + (problem === undefined ? Math.round(Number(amount) * 100) : 0), 0) /
  100
