import { dayText } from '../../src/kernel/dates.ts'
import { type Kobo, toNairaText } from '../../src/kernel/money.ts'

/** A line of a test bank's statement. */
export interface WrittenLine {
  readonly day: number
  readonly amount: Kobo
  readonly reference?: string
  readonly bankReference?: string
  readonly narration?: string
  readonly isFee?: boolean
}

/** A test statement: its lines, the opening balance, and its last day. */
export interface WrittenStatement {
  readonly account: string
  readonly opening: Kobo
  readonly lastDay: number
  readonly lines: readonly WrittenLine[]
}

export const closingOf = ({ opening, lines }: WrittenStatement): Kobo =>
  lines.reduce<bigint>((sum, { amount }) => sum + amount, opening) as Kobo

const unsigned = (amount: Kobo): string => toNairaText(amount).replace('-', '')
const sixDigits = (day: number): string => dayText(day).replaceAll('-', '').slice(2)

/** A statement in MT940, under SWIFT's headers. */
export function asMt940(statement: WrittenStatement): string {
  const { account, opening, lastDay, lines } = statement
  const balance = (amount: Kobo, day: number): string =>
    `${amount < 0n ? 'D' : 'C'}${sixDigits(day)}NGN${unsigned(amount).replace('.', ',')}`
  const written = lines.flatMap(({ day, amount, reference, bankReference, narration, isFee }) => [
    `:61:${sixDigits(day)}${sixDigits(day).slice(2)}${amount < 0n ? 'D' : 'C'}${unsigned(amount).replace('.', ',')}N${isFee ? 'CHG' : 'TRF'}${reference ?? 'NONREF'}${bankReference === undefined ? '' : `//${bankReference}`}`,
    ...(narration === undefined ? [] : [`:86:${narration}`]),
  ])
  return [
    '{1:F01BANKNGLAXXXX0000000000}{2:I940KOBONGLAXXXXN}{4:',
    ':20:STATEMENT',
    `:25:${account}`,
    ':28C:1/1',
    `:60F:${balance(opening, lastDay)}`,
    ...written,
    `:62F:${balance(closingOf(statement), lastDay)}`,
    '-}',
    '',
  ].join('\r\n')
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** A statement in camt.053; or its lines in camt.054, which has no balances. */
export function asCamt(statement: WrittenStatement, kind: '053' | '054' = '053'): string {
  const { account, opening, lastDay, lines } = statement
  const [message, part] = kind === '053' ? ['BkToCstmrStmt', 'Stmt'] : ['BkToCstmrDbtCdtNtfctn', 'Ntfctn']
  const money = (amount: Kobo): string =>
    `<Amt Ccy="NGN">${unsigned(amount)}</Amt><CdtDbtInd>${amount < 0n ? 'DBIT' : 'CRDT'}</CdtDbtInd>`
  const balance = (code: string, amount: Kobo): string =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${money(amount)}<Dt><Dt>${dayText(lastDay)}</Dt></Dt></Bal>`
  const entries = lines.map(
    ({ day, amount, reference, bankReference, narration, isFee }) =>
      `<Ntry>${money(amount)}<Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${dayText(day)}</Dt></BookgDt><ValDt><Dt>${dayText(day)}</Dt></ValDt>` +
      `${bankReference === undefined ? '' : `<AcctSvcrRef>${escaped(bankReference)}</AcctSvcrRef>`}` +
      `<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd><SubFmlyCd>${isFee ? 'CHRG' : 'DMCT'}</SubFmlyCd></Fmly></Domn></BkTxCd>` +
      `<NtryDtls><TxDtls><Refs><EndToEndId>${escaped(reference ?? 'NOTPROVIDED')}</EndToEndId></Refs>` +
      `${narration === undefined ? '' : `<RmtInf><Ustrd>${escaped(narration)}</Ustrd></RmtInf>`}</TxDtls></NtryDtls></Ntry>\n`,
  )
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.${kind}.001.08">` +
    `<${message}><GrpHdr><MsgId>1</MsgId><CreDtTm>2026-11-16T06:00:00+01:00</CreDtTm></GrpHdr><${part}><Id>1</Id>` +
    `<Acct><Id><Othr><Id>${account}</Id></Othr></Id></Acct>` +
    `${kind === '053' ? balance('OPBD', opening) + balance('CLBD', closingOf(statement)) : ''}\n` +
    `${entries.join('')}</${part}></${message}></Document>\n`
  )
}

/** Writes a statement in CSV for human readers, with the newest line first. */
export function asCsv({ opening, lines }: WrittenStatement): string {
  let balance: bigint = opening
  const rows = lines.map(({ day, amount, reference = '', bankReference = '', narration = '' }) => {
    balance += amount
    const [year, month, date] = dayText(day).split('-')
    const cells = [
      `${date}/${month}/${year}`,
      `"${narration.replaceAll('"', '""')}"`,
      reference,
      bankReference,
      amount < 0n ? unsigned(amount) : '',
      amount < 0n ? '' : `"${unsigned(amount).replace(/\B(?=(\d{3})+\.)/g, ',')}"`,
      toNairaText(balance as Kobo),
    ]
    return cells.join(',')
  })
  return [
    'Statement of account',
    'Date,Narration,Reference,Session,Debit,Credit,Balance',
    ...rows.toReversed(),
    '',
  ].join('\r\n')
}

/** The mapping for the CSV of `asCsv`. */
export const CSV_MAPPING = {
  skip: 1,
  order: 'newest first',
  dateFormat: 'DD/MM/YYYY',
  columns: {
    date: 'Date',
    narration: 'Narration',
    reference: 'Reference',
    bankReference: 'Session',
    debit: 'Debit',
    credit: 'Credit',
    balance: 'Balance',
  },
  feeWords: ['charge'],
} as const
