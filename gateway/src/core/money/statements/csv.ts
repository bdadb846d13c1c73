import { fromNamedDay } from '../../../kernel/dates.ts'
import { type Kobo, kobo } from '../../../kernel/money.ts'
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

const CELLS_MAX = 100
const DAY_MILLISECONDS = 86_400_000

/** Reads a statement from CSV by what its columns are called. Balances are those of its lines, where it has them. */
export function readCsv(written: string, mapping: Mapping): readonly Statement[] {
  const text = written.replace(/^\uFEFF/, '')
  const records = recordsOf(text, mapping.delimiter)
  for (let n = 0; n < mapping.skip; n++) records.next()
  const header = records.next().value
  if (header === undefined) throw new StatementError('The file has no line that names its columns.')
  const read = readerOf(mapping, header.cells)
  const isOldestFirst = mapping.order === 'oldest first'
  const starts: Start[] = []
  let [first, last]: [Read | undefined, Read | undefined] = [undefined, undefined]
  for (const record of records) {
    if (record.cells.every((cell) => cell.trim() === '')) continue
    if (starts.length >= LINES_MAX) throw new StatementError(`A statement may have ${LINES_MAX} lines at most.`)
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

/** Each balance is the one before it and its line: so none is left out, and the order is what the mapping says. */
function checkBalance([before, { number, line, balance }]: readonly [Read, Read]): void {
  if (balance !== undefined && before.balance !== undefined && before.balance + line.amount !== balance)
    throw new StatementError(`Line ${number}: its balance does not follow from the one before and its amount.`)
}

/** Where a record begins: in the text, and as people count lines. */
interface Start {
  readonly at: number
  readonly number: number
}

interface Record {
  readonly start: Start
  readonly cells: readonly string[]
}

interface Read {
  readonly number: number
  readonly line: StatementLine
  readonly balance: Kobo | undefined
}

/** Reads a record by the columns that the first one names. */
function readerOf(mapping: Mapping, header: readonly string[]): (record: Record) => Read {
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
      if (amount === undefined) throw wrong(`${columns[name]} is no amount: ${written}`)
      return amount
    }
    const day = dayIn(cell('date') ?? '', dateFormat)
    if (day === undefined) throw wrong(`${columns.date} is no day like ${dateFormat}: ${cell('date')}`)
    const amount = amountOf(amountIn, cell('direction'), credits)
    if (amount === undefined) throw wrong('there is no amount.')
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
  // Some write what went out with a minus.
  return kobo(credit - (debit < 0n ? -debit : debit))
}

/** A day by its format; a time behind it is left out. */
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

/** The records of a CSV: cells in quotes may hold the delimiter, line ends, and quotes written twice. */
function* recordsOf(text: string, delimiter: string, from: Start = { at: 0, number: 1 }): Generator<Record> {
  let { at, number } = from
  while (at < text.length) {
    const start: Start = { at, number }
    const cells: string[] = []
    for (;;) {
      const { value, next } = text[at] === '"' ? quotedCell(text, at) : plainCell(text, at, delimiter)
      cells.push(value)
      number += lineEndsIn(value)
      if (cells.length > CELLS_MAX) throw new StatementError(`Line ${start.number} has more than ${CELLS_MAX} values.`)
      at = next
      if (text[at] !== delimiter) break
      at++
    }
    if (at < text.length && text[at] !== '\n' && text[at] !== '\r')
      throw new StatementError(`Line ${start.number}: something stands behind the quotes.`)
    at += text.startsWith('\r\n', at) ? 2 : 1
    number++
    yield { start, cells }
  }
}

const lineEndsIn = (text: string): number => (text.includes('\n') ? text.split('\n').length - 1 : 0)

function quotedCell(text: string, from: number): { readonly value: string; readonly next: number } {
  let at = from + 1
  for (;;) {
    const quote = text.indexOf('"', at)
    if (quote === -1) throw new StatementError('The file ends within quotes.')
    if (text[quote + 1] !== '"') return { value: text.slice(from + 1, quote).replaceAll('""', '"'), next: quote + 1 }
    at = quote + 2
  }
}

function plainCell(text: string, from: number, delimiter: string): { readonly value: string; readonly next: number } {
  let at = from
  while (at < text.length && text[at] !== delimiter && text[at] !== '\n' && text[at] !== '\r') at++
  return { value: text.slice(from, at), next: at }
}
