import type { Mapping } from './mapping.ts'
import {
  type Balance,
  CURRENCY,
  isFeeText,
  readAmount,
  readDay,
  type Statement,
  StatementError,
  type StatementLine,
  shortText,
  signed,
  someReferences,
} from './statement.ts'

/** A field such as `:61:2611160C1500,00NTRFREF//BANKREF`: its tag and its text, over several lines. */
interface Field {
  readonly tag: string
  readonly text: string
  readonly line: number
}

const TAG = /^:(\d{2}[A-Z]?):(.*)$/
/** The header and trailer of a SWIFT message. */
const ENVELOPE = /^(\{[1-5]:.*|-\}?.*)$/
const BALANCE = /^([CD])(\d{6})([A-Z]{3})(\d{1,12},\d{0,2})$/
const LINE =
  /^(\d{6})(\d{4})?(R?[CD])([A-Z])?(\d{1,12},\d{0,2})([NFS][A-Z0-9]{3})([^\n]*?)(?:\/\/([^\n]*))?(?:\n([\s\S]*))?$/
/** Codes of a bank's own charges. */
const FEES = new Set(['CHG', 'COM', 'CHA', 'FEE'])

/**
 * Reads MT940 statements, in SWIFT messages or bare. A statement spread over several messages is read as several
 * statements.
 */
export function readMt940(text: string, { feeWords }: Pick<Mapping, 'feeWords'>): readonly Statement[] {
  const statements: Statement[] = []
  let fields: Field[] = []
  const finish = (): void => {
    if (fields.length > 0) statements.push(statementOf(fields, feeWords))
    fields = []
  }
  for (const field of fieldsOf(text)) {
    if (field.tag === '20') finish()
    fields.push(field)
  }
  finish()
  if (statements.length === 0) throw new StatementError('The file contains no statement: no line begins with :20:.')
  return statements
}

function* fieldsOf(text: string): Generator<Field> {
  let open: { tag: string; text: string; line: number } | undefined
  for (const [index, written] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    const [, tag, rest = ''] = TAG.exec(written) ?? []
    if (tag !== undefined) {
      if (open !== undefined) yield open
      open = { tag, text: rest, line: index + 1 }
    } else if (open !== undefined && !ENVELOPE.test(written) && written !== '') open.text += `\n${written}`
  }
  if (open !== undefined) yield open
}

function statementOf(fields: readonly Field[], feeWords: readonly string[]): Statement {
  let account: string | null = null
  let opening: Balance | null = null
  let closing: Balance | null = null
  const lines: { field: Field; details: string }[] = []
  for (const field of fields) {
    const { tag, text } = field
    if (tag === '25') account = text.split('\n')[0]?.trim() || null
    else if (tag === '60F' || tag === '60M') opening = balanceOf(field)
    else if (tag === '62F' || tag === '62M') closing = balanceOf(field)
    else if (tag === '61') lines.push({ field, details: '' })
    else if (tag === '86') {
      const last = lines.at(-1)
      // After the closing balance, details describe the whole statement.
      if (last !== undefined && closing === null) last.details = `${last.details}\n${text}`
    }
  }
  if (opening === null || closing === null)
    throw new StatementError('A statement in MT940 must have an opening balance (:60F:) and a closing one (:62F:).')
  return {
    account,
    opening,
    closing,
    lineCount: lines.length,
    lines: lines.map(({ field, details }) => lineOf(field, details, feeWords)),
  }
}

const wrong = ({ line, tag }: Field, what: string): StatementError =>
  new StatementError(`Line ${line}: :${tag}: ${what}`)

/** Two-digit years are in the current century. */
const dayOf = (field: Field, sixDigits: string): number => {
  const day = readDay(`20${sixDigits.slice(0, 2)}-${sixDigits.slice(2, 4)}-${sixDigits.slice(4)}`)
  if (day === undefined) throw wrong(field, 'has a date that does not exist.')
  return day
}

function balanceOf(field: Field): Balance {
  const [, mark, day, currency, amount] = BALANCE.exec(field.text.trim()) ?? []
  const read = amountOf(amount)
  if (day === undefined || read === undefined) throw wrong(field, 'must be a balance such as C261116NGN1500,00.')
  if (currency !== CURRENCY) throw wrong(field, `must be in ${CURRENCY}.`)
  return { day: dayOf(field, day), amount: signed(read, mark === 'C'), isInterim: field.tag.endsWith('M') }
}

/** MT940 always has a comma before the decimals. */
const amountOf = (text: string | undefined) => (text === undefined ? undefined : readAmount(text.replace(',', '.')))

function lineOf(field: Field, details: string, feeWords: readonly string[]): StatementLine {
  const match = LINE.exec(field.text)
  const [, valueDay, entryDay, mark, , written, type = '', reference, bankReference, extra = ''] = match ?? []
  const amount = amountOf(written)
  if (valueDay === undefined || amount === undefined)
    throw wrong(field, 'must be a line such as 2611161116C1500,00NTRFREFERENCE//BANKREFERENCE.')
  const narration = shortText(`${extra}\n${details}`)
  // Reversing a credit takes money out; reversing a debit brings it back.
  const isIn = mark === 'C' || mark === 'RD'
  const [bank = null] = someReferences(bankReference)
  return {
    day: entryDay === undefined ? dayOf(field, valueDay) : entryDayOf(field, valueDay, entryDay),
    amount: signed(amount, isIn),
    isFee: FEES.has(type.slice(1)) || isFeeText(feeWords, narration),
    bankReference: bank,
    references: someReferences(reference, ...taggedReferences(details)),
    accountNumber: null,
    name: nameIn(details),
    narration,
  }
}

/** Returns an entry's day. Its year is that of the value date, except around new year. */
function entryDayOf(field: Field, valueDay: string, entryDay: string): number {
  const value = dayOf(field, valueDay)
  const year = Number(valueDay.slice(0, 2))
  const candidates = [year - 1, year, year + 1].flatMap((one) => {
    const day = readDay(`20${String(one).padStart(2, '0')}-${entryDay.slice(0, 2)}-${entryDay.slice(2)}`)
    return day === undefined ? [] : day
  })
  if (candidates.length === 0) throw wrong(field, 'has a date that does not exist.')
  return candidates.reduce((best, day) => (Math.abs(day - value) < Math.abs(best - value) ? day : best))
}

/** Finds references that are marked in the details, such as `/EREF/…` (end to end) or `/TRID/…`. */
const taggedReferences = (details: string): readonly string[] =>
  [...details.replaceAll('\n', '').matchAll(/\/(?:EREF|TRID|PREF|IREF)\/([^/]{1,100})/g)].map(([, one = '']) => one)

const nameIn = (details: string): string | null =>
  shortText(/\/(?:NAME|ORDP|BENM)\/(?:NAME\/)?([^/]{1,140})/.exec(details.replaceAll('\n', ''))?.[1])
