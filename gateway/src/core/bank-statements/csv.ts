import { fromNamedDay } from '../../kernel/dates.ts'
import { type Kobo, kobo } from '../../kernel/money.ts'
import { CsvError, type CsvRecord, type RecordStart, readRecords } from '../../platform/formats/csv.ts'
import type { Mapping } from './mapping.ts'
import {
  isFeeText,
  LINES_MAX,
  readAmount,
  readDay,
  type Statement,
  StatementError,
  type StatementLine,
  shortText,
  someReferences,
} from './statement.ts'

const DAY_MILLISECONDS = 86_400_000

/** Reads a CSV statement by its column names. Balances come from its lines, if present. */
export function readCsv(written: string, mapping: Mapping): readonly Statement[] {
  const text = written.replace(/^\uFEFF/, '')
  const records = recordsOf(text, mapping.delimiter)
  for (let n = 0; n < mapping.skip; n++) records.next()
  const header = records.next().value
  if (header === undefined) throw new StatementError('The file has no header line.')
  const read = readerOf(mapping, header.cells)
  const isOldestFirst = mapping.order === 'oldest first'
  const starts: RecordStart[] = []
  let [first, last]: [Read | undefined, Read | undefined] = [undefined, undefined]
  for (const record of records) {
    if (record.cells.every((cell) => cell.trim() === '')) continue
    if (starts.length >= LINES_MAX) throw new StatementError(`A statement may have at most ${LINES_MAX} lines.`)
    const found = read(record)
    if (last !== undefined) checkBalance(isOldestFirst ? [last, found] : [found, last])
    first ??= found
    last = found
    starts.push(record.start)
  }
  const [oldest, newest] = isOldestFirst ? [first, last] : [last, first]
  const inOrder = isOldestFirst ? starts : starts.reverse()
  return [
    {
      account: null,
      opening:
        oldest?.balance === undefined
          ? null
          : { day: oldest.line.day, amount: kobo(oldest.balance - oldest.line.amount), isInterim: false },
      closing:
        newest?.balance === undefined ? null : { day: newest.line.day, amount: newest.balance, isInterim: false },
      lineCount: starts.length,
      lines: {
        *[Symbol.iterator]() {
          for (const start of inOrder) {
            const [record] = recordsOf(text, mapping.delimiter, start)
            if (record !== undefined) yield read(record).line
          }
        },
      },
    },
  ]
}

/**
 * Each balance must be the previous one plus its line's amount: this proves that no line is missing and the order is
 * right.
 */
function checkBalance([before, { number, line, balance }]: readonly [Read, Read]): void {
  if (balance !== undefined && before.balance !== undefined && before.balance + line.amount !== balance)
    throw new StatementError(`Line ${number}: its balance does not match the previous balance plus its amount.`)
}

interface Read {
  readonly number: number
  readonly line: StatementLine
  readonly balance: Kobo | undefined
}

/** Reads records by the columns in the header. */
function readerOf(mapping: Mapping, header: readonly string[]): (record: CsvRecord) => Read {
  const { columns, creditWords, feeWords, dateFormat } = mapping
  const places = new Map(header.map((name, index) => [name.trim().toLowerCase(), index]))
  const placeOf = (name: string | undefined): number | undefined => {
    if (name === undefined) return undefined
    const place = places.get(name.trim().toLowerCase())
    if (place === undefined) throw new StatementError(`The file has no column ${name}.`)
    return place
  }
  const place = Object.fromEntries(Object.entries(columns).map(([name, called]) => [name, placeOf(called)]))
  const credits = new Set(creditWords.map((word) => word.toUpperCase()))
  return ({ start: { number }, cells }) => {
    const cell = (name: keyof typeof columns): string | undefined =>
      place[name] === undefined ? undefined : cells[place[name]]?.trim()
    const wrong = (what: string): StatementError => new StatementError(`Line ${number}: ${what}`)
    const amountIn = (name: keyof typeof columns): Kobo | undefined => {
      const written = cell(name)
      if (written === undefined || written === '') return undefined
      const amount = readAmount(written.replace(/^(?:NGN|₦)\s*/, ''))
      if (amount === undefined) throw wrong(`${columns[name]} is not an amount: ${written}`)
      return amount
    }
    const day = dayIn(cell('date') ?? '', dateFormat)
    if (day === undefined) throw wrong(`${columns.date} is not a date like ${dateFormat}: ${cell('date')}`)
    const amount = amountOf(amountIn, cell('direction'), credits)
    if (amount === undefined) throw wrong('the amount is missing.')
    const narration = shortText(cell('narration'))
    const [bankReference = null] = someReferences(cell('bankReference'))
    const line: StatementLine = {
      day,
      amount,
      isFee: isFeeText(feeWords, narration),
      bankReference,
      references: someReferences(cell('reference'), cell('sessionId')),
      accountNumber: shortText(cell('accountNumber')),
      name: shortText(cell('name')),
      narration,
    }
    return { number, line, balance: amountIn('balance') }
  }
}

function amountOf(
  amountIn: (name: 'amount' | 'credit' | 'debit') => Kobo | undefined,
  direction: string | undefined,
  credits: ReadonlySet<string>,
): Kobo | undefined {
  const amount = amountIn('amount')
  if (amount !== undefined) {
    if (direction === undefined) return amount
    return credits.has(direction.toUpperCase()) ? amount : kobo(-amount)
  }
  const [credit, debit] = [amountIn('credit') ?? kobo(0n), amountIn('debit') ?? kobo(0n)]
  // Some banks write outgoing amounts with a minus.
  return kobo(credit - (debit < 0n ? -debit : debit))
}

/** Reads a day in the given format. A time after the day is ignored. */
function dayIn(text: string, format: string): number | undefined {
  const written = text.slice(0, format.length)
  const part = (letters: string): string => {
    const at = format.indexOf(letters)
    return at === -1 ? '' : written.slice(at, at + letters.length)
  }
  if (format.includes('MMM')) {
    const moment = fromNamedDay(`${part('DD')}-${part('MMM')}-${part('YYYY')}`)
    return moment === undefined ? undefined : moment.getTime() / DAY_MILLISECONDS
  }
  return readDay(`${part('YYYY')}-${part('MM')}-${part('DD')}`)
}

function* recordsOf(text: string, delimiter: string, from?: RecordStart): Generator<CsvRecord> {
  try {
    yield* readRecords(text, delimiter, from)
  } catch (error) {
    throw error instanceof CsvError ? new StatementError(error.message) : error
  }
}
