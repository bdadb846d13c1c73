import { StatementError } from './statement.ts'

/** The column names of a bank's CSV and other facts about its statements, as data. */
export interface Mapping {
  readonly delimiter: string
  /** The number of lines before the header. */
  readonly skip: number
  readonly order: 'oldest first' | 'newest first'
  readonly columns: Columns
  /** The format of dates, for example DD/MM/YYYY. */
  readonly dateFormat: string
  /** Values of the column `direction` for incoming money. */
  readonly creditWords: readonly string[]
  /** Words in the narration that mark the bank's own charges, in all formats. */
  readonly feeWords: readonly string[]
}

const COLUMN_NAMES = [
  'date',
  'amount',
  'credit',
  'debit',
  'direction',
  'balance',
  'bankReference',
  'reference',
  'sessionId',
  'accountNumber',
  'name',
  'narration',
] as const
type ColumnName = (typeof COLUMN_NAMES)[number]
type Columns = Readonly<Partial<Record<ColumnName, string>>>

/** The defaults of a mapping. */
export const PLAIN: Mapping = {
  delimiter: ',',
  skip: 0,
  order: 'oldest first',
  columns: { date: 'date', amount: 'amount', bankReference: 'reference', narration: 'narration', balance: 'balance' },
  dateFormat: 'YYYY-MM-DD',
  creditWords: ['C', 'CR', 'CREDIT'],
  feeWords: [],
}

const SKIP_MAX = 100
const WORDS_MAX = 50
const WORD_LENGTH_MAX = 60
const DATE_FORMAT = /^(?=.*DD)(?=.*(?:MMM|MM))(?=.*YYYY)[DMY /.-]{8,11}$/

/** Reads a mapping from JSON. Missing keys get defaults; unknown ones are rejected. */
export function readMapping(text: string): Mapping {
  const { delimiter, skip, order, columns, dateFormat, creditWords, feeWords, ...others } = jsonIn(text)
  const unknown = Object.keys(others)
  if (unknown.length > 0) throw new StatementError(`The mapping has unknown fields: ${unknown.join(', ')}.`)
  const mapping: Mapping = {
    delimiter: oneOf('delimiter', delimiter ?? PLAIN.delimiter, [',', ';', '\t', '|']),
    skip: Number(skip ?? 0),
    order: oneOf('order', order ?? PLAIN.order, ['oldest first', 'newest first']),
    columns: columns === undefined ? PLAIN.columns : columnsIn(columns),
    dateFormat: String(dateFormat ?? PLAIN.dateFormat),
    creditWords: wordsIn('creditWords', creditWords ?? PLAIN.creditWords),
    feeWords: wordsIn('feeWords', feeWords ?? PLAIN.feeWords),
  }
  if (!Number.isInteger(mapping.skip) || mapping.skip < 0 || mapping.skip > SKIP_MAX)
    throw new StatementError(`skip must be 0 to ${SKIP_MAX}.`)
  if (!DATE_FORMAT.test(mapping.dateFormat))
    throw new StatementError('dateFormat must be like DD/MM/YYYY or DD-MMM-YYYY.')
  return mapping
}

function jsonIn(text: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new StatementError('The mapping is not valid JSON.')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new StatementError('The mapping must be an object.')
  return value as Record<string, unknown>
}

function oneOf<const T extends string>(name: string, value: unknown, all: readonly T[]): T {
  const found = all.find((one) => one === value)
  if (found === undefined)
    throw new StatementError(`${name} must be one of ${all.map((one) => JSON.stringify(one)).join(', ')}.`)
  return found
}

function columnsIn(value: unknown): Columns {
  if (typeof value !== 'object' || value === null) throw new StatementError('columns must be an object.')
  const columns = value as Readonly<Record<string, unknown>>
  for (const [name, header] of Object.entries(columns)) {
    if (!COLUMN_NAMES.some((one) => one === name))
      throw new StatementError(`columns has the unknown name ${name}; use ${COLUMN_NAMES.join(', ')}.`)
    if (typeof header !== 'string' || header === '' || header.length > WORD_LENGTH_MAX)
      throw new StatementError(`columns.${name} must be the name of the column in the file.`)
  }
  const has = (name: ColumnName): boolean => columns[name] !== undefined
  if (!has('date')) throw new StatementError('columns must have a date.')
  if (has('amount') === (has('credit') || has('debit')) || has('credit') !== has('debit'))
    throw new StatementError('columns must have an amount, or a credit and a debit.')
  if (has('direction') && !has('amount')) throw new StatementError('columns.direction requires columns.amount.')
  return columns as Columns
}

function wordsIn(name: string, value: unknown): readonly string[] {
  const isRight =
    Array.isArray(value) &&
    value.length <= WORDS_MAX &&
    value.every((word) => typeof word === 'string' && word.trim() !== '' && word.length <= WORD_LENGTH_MAX)
  if (!isRight) throw new StatementError(`${name} must be a list of at most ${WORDS_MAX} words.`)
  return value as readonly string[]
}
