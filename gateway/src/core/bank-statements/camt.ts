import { lagosDay } from '../../kernel/dates.ts'
import { type Kobo, kobo } from '../../kernel/money.ts'
import { childOf, elementsIn, textOf, type XmlElement, XmlError } from '../../platform/formats/xml.ts'
import type { Mapping } from './mapping.ts'
import {
  type Balance,
  CURRENCY,
  isFeeText,
  LINES_MAX,
  readAmount,
  readDay,
  type Statement,
  StatementError,
  type StatementLine,
  shortText,
  signed,
  someReferences,
} from './statement.ts'

/** The elements read from a statement (camt.053) or notification (camt.054) of any version. */
const ELEMENTS = new Set(['Acct', 'Bal', 'Ntry'])
const STATEMENTS = new Set(['Stmt', 'Ntfctn'])
const OPENING = new Set(['OPBD', 'PRCD'])
const CLOSING = 'CLBD'
/** Codes of a bank's own charges. */
const FEES = new Set(['CHRG', 'FEES', 'COMM', 'COME', 'COMI', 'COMT'])

interface OpenStatement {
  account: string | null
  opening: Balance | null
  closing: Balance | null
  readonly lines: StatementLine[]
}

/** Reads camt.053 statements, or camt.054 notifications, which have no balances. Unbooked entries are skipped. */
export function readCamt(text: string, { feeWords }: Pick<Mapping, 'feeWords'>): readonly Statement[] {
  const statements = new Map<string, OpenStatement>()
  let count = 0
  try {
    for (const { element, parent, parentNumber } of elementsIn(text, ELEMENTS)) {
      if (!STATEMENTS.has(parent)) continue
      const key = `${parent} ${parentNumber}`
      const open = statements.get(key) ?? { account: null, opening: null, closing: null, lines: [] }
      statements.set(key, open)
      if (element.name === 'Acct') open.account = accountOf(element)
      else if (element.name === 'Bal') readBalance(open, element)
      else for (const line of linesOf(element, feeWords)) open.lines.push(line)
      count += element.name === 'Ntry' ? 1 : 0
      if (count > LINES_MAX) throw new StatementError(`A file may have at most ${LINES_MAX} entries.`)
    }
  } catch (error) {
    throw error instanceof XmlError ? new StatementError(error.message) : error
  }
  if (statements.size === 0) throw new StatementError('The file contains no camt.053 or camt.054 statement.')
  return [...statements.values()].map((one) => ({ ...one, lineCount: one.lines.length }))
}

const accountOf = (element: XmlElement): string | null =>
  textOf(element, 'Id', 'IBAN') ?? textOf(element, 'Id', 'Othr', 'Id') ?? null

function readBalance(open: OpenStatement, element: XmlElement): void {
  const code = textOf(element, 'Tp', 'CdOrPrtry', 'Cd') ?? ''
  if (code !== CLOSING && !OPENING.has(code)) return
  const amount = amountIn(element)
  const day = dayIn(childOf(element, 'Dt'))
  if (day === undefined) throw new StatementError('A balance has no date.')
  const isInterim = textOf(element, 'Tp', 'SubTp', 'Cd') === 'INTM'
  const balance = { day, amount: signed(amount, isCredit(element)), isInterim }
  if (code === CLOSING) open.closing = balance
  else open.opening = balance
}

function amountIn(element: XmlElement | undefined): Kobo {
  const written = childOf(element, 'Amt')
  const amount = written === undefined ? undefined : readAmount(written.text)
  if (written === undefined || amount === undefined)
    throw new StatementError(`The amount of a ${element?.name} is missing or malformed.`)
  if (written.attributes['Ccy'] !== CURRENCY) throw new StatementError(`A ${element?.name} is not in ${CURRENCY}.`)
  return amount
}

function isCredit(element: XmlElement): boolean {
  const mark = textOf(element, 'CdtDbtInd')
  if (mark !== 'CRDT' && mark !== 'DBIT') throw new StatementError(`A ${element.name} must be CRDT or DBIT.`)
  return mark === 'CRDT'
}

/** Reads a date, or a time and returns its day in Lagos. */
function dayIn(element: XmlElement | undefined): number | undefined {
  const day = textOf(element, 'Dt')
  if (day !== undefined) return readDay(day.slice(0, 10))
  const moment = new Date(textOf(element, 'DtTm') ?? '')
  return Number.isNaN(moment.getTime()) ? undefined : lagosDay(moment)
}

/** Returns one line per transaction of an entry if their amounts are given and add up, else one for the whole entry. */
function linesOf(entry: XmlElement, feeWords: readonly string[]): readonly StatementLine[] {
  const status = textOf(entry, 'Sts', 'Cd') ?? textOf(entry, 'Sts')
  if (status !== undefined && status !== 'BOOK') return []
  const amount = signed(amountIn(entry), isCredit(entry))
  const day = dayIn(childOf(entry, 'BookgDt')) ?? dayIn(childOf(entry, 'ValDt'))
  if (day === undefined) throw new StatementError('An entry has no booking date.')
  const isFee = [...codesOf(entry)].some((code) => FEES.has(code))
  const details = entry.children
    .filter(({ name }) => name === 'NtryDtls')
    .flatMap(({ children }) => children.filter(({ name }) => name === 'TxDtls'))
  const [only] = details
  if (details.length < 2) return [lineOf(entry, only, { day, amount, isFee }, feeWords)]
  const parts = details.map((one) => partOf(one, amount))
  const total = parts.reduce<bigint>((sum, part) => sum + (part ?? 0n), 0n)
  return total === amount && parts.every((part) => part !== undefined)
    ? details.map((one, index) => lineOf(entry, one, { day, amount: parts[index] as Kobo, isFee }, feeWords))
    : [lineOf(entry, undefined, { day, amount, isFee }, feeWords)]
}

/** Reads the amount of a transaction within an entry. Without its own direction, it has the entry's direction. */
function partOf(details: XmlElement, whole: Kobo): Kobo | undefined {
  const from = [details, childOf(details, 'AmtDtls', 'TxAmt')].find((one) => childOf(one, 'Amt') !== undefined)
  if (from === undefined) return undefined
  const isIn = textOf(details, 'CdtDbtInd') === undefined ? whole > 0n : isCredit(details)
  return signed(amountIn(from), isIn)
}

function* codesOf(entry: XmlElement): Generator<string> {
  const code = childOf(entry, 'BkTxCd')
  for (const path of [
    ['Domn', 'Fmly', 'SubFmlyCd'],
    ['Domn', 'Fmly', 'Cd'],
    ['Prtry', 'Cd'],
  ]) {
    const text = textOf(code, ...path)
    if (text !== undefined) yield text
  }
}

const REFERENCE_ELEMENTS = ['EndToEndId', 'InstrId', 'TxId', 'UETR', 'MsgId', 'PmtInfId']

function lineOf(
  entry: XmlElement,
  details: XmlElement | undefined,
  known: Pick<StatementLine, 'day' | 'amount' | 'isFee'>,
  feeWords: readonly string[],
): StatementLine {
  const refs = childOf(details, 'Refs')
  const parties = childOf(details, 'RltdPties')
  const isIn = known.amount > 0n
  const party = childOf(parties, isIn ? 'Dbtr' : 'Cdtr')
  const owner = isIn ? childOf(parties, 'CdtrAcct') : childOf(parties, 'DbtrAcct')
  const remittance = childOf(details, 'RmtInf')
  const narration = shortText(
    [
      ...(remittance?.children.filter(({ name }) => name === 'Ustrd').map(({ text }) => text) ?? []),
      textOf(details, 'AddtlTxInf') ?? '',
      textOf(entry, 'AddtlNtryInf') ?? '',
    ].join(' '),
  )
  const [bankReference = null] = someReferences(textOf(refs, 'AcctSvcrRef'), textOf(entry, 'AcctSvcrRef'))
  return {
    ...known,
    amount: kobo(known.amount),
    isFee: known.isFee || isFeeText(feeWords, narration),
    bankReference,
    references: someReferences(
      ...REFERENCE_ELEMENTS.map((name) => textOf(refs, name)),
      textOf(entry, 'NtryRef'),
      textOf(remittance, 'Strd', 'CdtrRefInf', 'Ref'),
    ),
    accountNumber: shortText(textOf(owner, 'Id', 'Othr', 'Id') ?? textOf(owner, 'Id', 'IBAN')),
    name: shortText(textOf(party, 'Nm') ?? textOf(party, 'Pty', 'Nm')),
    narration,
  }
}
