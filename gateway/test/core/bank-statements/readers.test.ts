import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseCamt053 } from 'camt-parser'
import fc from 'fast-check'
import mt940js from 'mt940js'
import { PLAIN, readDay, readMapping, readStatements, StatementError } from '../../../src/core/bank-statements/index.ts'
import { dayText } from '../../../src/kernel/dates.ts'
import { kobo, toNairaText } from '../../../src/kernel/money.ts'
import { asCamt, asCsv, asMt940, CSV_MAPPING, closingOf, type WrittenStatement } from '../../harness/statements.ts'

const DAY = readDay('2026-11-03') ?? 0

const STATEMENT: WrittenStatement = {
  account: '0123456789',
  opening: kobo(-150_050n),
  lastDay: DAY,
  lines: [
    { day: DAY - 1, amount: kobo(900_000n), reference: 'SES000001', bankReference: 'BANK1', narration: 'NIP ADA & CO' },
    {
      day: DAY - 1,
      amount: kobo(-5_375n),
      reference: 'SES000001',
      bankReference: 'BANK2',
      narration: 'NIP charge',
      isFee: true,
    },
    { day: DAY, amount: kobo(1n), bankReference: 'BANK3', narration: 'one kobo, "quoted"' },
    { day: DAY, amount: kobo(123_456_789_012n), reference: 'KOBOX0120261103', bankReference: 'BANK4' },
    { day: DAY, amount: kobo(-99n), reference: 'OUT1' },
  ],
}

const mapping = readMapping(JSON.stringify(CSV_MAPPING))
const read = (text: string, by = PLAIN) =>
  readStatements(Buffer.from(text), by).map((statement) => ({ ...statement, lines: [...statement.lines] }))

/** The fields that every format must read alike. */
const comparable = (statements: ReturnType<typeof read>) =>
  statements.map(({ opening, closing, lines }) => ({
    opening: opening?.amount,
    closing: closing && { day: closing.day, amount: closing.amount },
    lines: lines.map(({ day, amount, isFee, bankReference, references }) => [
      day,
      amount,
      isFee,
      bankReference,
      references,
    ]),
  }))

const EXPECTED = [
  {
    opening: STATEMENT.opening,
    closing: { day: DAY, amount: closingOf(STATEMENT) },
    lines: STATEMENT.lines.map(({ day, amount, isFee = false, bankReference = null, reference }) => [
      day,
      amount,
      isFee,
      bankReference,
      reference === undefined ? [] : [reference],
    ]),
  },
]

test('CSV, MT940, camt.053 and camt.054 of one statement read the same, to the kobo', () => {
  assert.deepEqual(comparable(read(asMt940(STATEMENT))), EXPECTED)
  assert.deepEqual(comparable(read(asCamt(STATEMENT))), EXPECTED)
  assert.deepEqual(comparable(read(asCsv(STATEMENT), mapping)), EXPECTED)
  const [lines] = EXPECTED
  assert.deepEqual(comparable(read(asCamt(STATEMENT, '054'))), [{ ...lines, opening: undefined, closing: null }])
})

/** Statements as banks may write them. */
const statements = fc.record({
  account: fc.constant('0123456789'),
  opening: fc.bigInt({ min: -(10n ** 11n), max: 10n ** 11n }).map(kobo),
  lastDay: fc.constant(DAY),
  lines: fc.array(
    fc.record({
      day: fc.integer({ min: DAY - 40, max: DAY }),
      amount: fc
        .bigInt({ min: -(10n ** 10n), max: 10n ** 10n })
        .filter((n) => n !== 0n)
        .map(kobo),
      reference: fc.stringMatching(/^[A-Z1-9][A-Z0-9]{3,14}$/),
      bankReference: fc.stringMatching(/^[A-Z1-9][A-Z0-9]{3,14}$/),
      narration: fc.stringMatching(/^[A-Za-z][A-Za-z0-9 ]{0,40}[a-z]$/),
    }),
    { maxLength: 20 },
  ),
})

test('MT940 is read as a third-party parser reads it', () => {
  const parser = new mt940js.Parser()
  fc.assert(
    fc.property(statements, (statement) => {
      const text = asMt940(statement)
      const [ours] = read(text)
      const [theirs] = parser.parse(text)
      assert.equal(ours?.account, theirs?.accountIdentification)
      const amount = (naira = 0): bigint => BigInt(Math.round(naira * 100))
      assert.deepEqual(
        [ours?.opening?.amount, ours?.closing?.amount],
        [amount(theirs?.openingBalance), amount(theirs?.closingBalance)],
      )
      assert.deepEqual(
        ours?.lines.map((line) => [dayText(line.day), line.amount, line.references[0], line.bankReference]),
        theirs?.transactions.map((line) => [
          (line.entryDate ?? line.date).toISOString().slice(0, 10),
          amount(line.amount),
          line.reference,
          line.bankReference,
        ]),
      )
    }),
    { numRuns: 200 },
  )
})

test('camt.053 and camt.054 are read as a third-party parser reads them', async () => {
  await fc.assert(
    fc.asyncProperty(statements, fc.constantFrom('053' as const, '054' as const), async (statement, kind) => {
      const text = asCamt(statement, kind)
      const [ours] = read(text)
      // The other parser reads only statements; the entries of a notification are the same.
      const renamed = text.replaceAll('BkToCstmrDbtCdtNtfctn>', 'BkToCstmrStmt>').replaceAll('Ntfctn>', 'Stmt>')
      const [theirs] = (await parseCamt053(renamed)).statements
      const amount = (one: { amount: { value: string }; creditDebitIndicator: string }): string =>
        `${one.creditDebitIndicator === 'DBIT' ? '-' : ''}${one.amount.value}`
      assert.deepEqual(
        [ours?.opening, ours?.closing].flatMap((one) => (one ? [dayText(one.day), toNairaText(one.amount)] : [])),
        theirs?.balances.flatMap((one) => [one.date, amount(one)]),
      )
      assert.deepEqual(
        ours?.lines.map((line) => [
          dayText(line.day),
          toNairaText(line.amount),
          line.bankReference,
          line.references[0],
        ]),
        theirs?.transactions.map((line) => [
          line.bookingDate,
          amount(line),
          line.accountServicerReference,
          line.details[0]?.references.endToEndId,
        ]),
      )
    }),
    { numRuns: 100 },
  )
})

test('a statement that does not add up or is cut off is rejected', () => {
  const [mt940, camt, csv] = [asMt940(STATEMENT), asCamt(STATEMENT), asCsv(STATEMENT)]
  const rejected: readonly (readonly [string, RegExp, typeof PLAIN?])[] = [
    [mt940.replace('C0,01', 'C0,02'), /does not add up/],
    [mt940.replace(/:61:.*BANK3\r\n:86:.*\r\n/, ''), /does not add up/],
    [mt940.replaceAll('NGN', 'USD'), /must be in NGN/],
    [mt940.replace(':62F:', ':65F:'), /must have an opening balance/],
    [mt940.replace(/:61:\d{6}\d{4}C/, ':61:2611991199C'), /does not exist/],
    [camt.replace('>0.01<', '>0.02<'), /does not add up/],
    [camt.replace('Ccy="NGN"', 'Ccy="USD"'), /not in NGN/],
    [camt.replace('CRDT', 'BOTH'), /must be CRDT or DBIT/],
    [camt.slice(0, -20), /ends inside/],
    [camt.replaceAll('BkToCstmrStmt', 'Else').replaceAll('Stmt>', 'Other>'), /no camt.053 or camt.054/],
    [csv.replace('0.01', '0.02'), /balance does not match/, mapping],
    [csv.replace('Balance', 'Saldo'), /no column Balance/, mapping],
    [csv.replace('03/11/2026', '32/11/2026'), /is not a date like DD\/MM\/YYYY/, mapping],
    [`${csv}"open`, /ends inside quotes/, mapping],
    ['', /no header line|no column/],
  ]
  for (const [text, reason, by] of rejected)
    assert.throws(
      () => read(text, by),
      (error) => error instanceof StatementError && reason.test(error.message),
      `${reason}`,
    )
})

test('a document type declaration and custom entities are rejected before anything is expanded', () => {
  const camt = asCamt(STATEMENT)
  const bomb = `<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>${camt.replace('BANK1', '&b;')}`
  assert.throws(() => read(bomb.replace(/<\?xml.*\?>\n/, '')), /document type declaration/)
  assert.throws(() => read(camt.replace('BANK1', '&b;')), /custom entities/)
  assert.throws(() => read(camt.replace('BANK1', '&#0;')), /custom entities/)
  assert.throws(() => read(`${'<a>'.repeat(50)}`), /nested at most/)
  assert.equal(read(camt.replace('BANK1', '&#66;&#x41;<![CDATA[NK<]]>1'))[0]?.lines[0]?.bankReference, 'BANK<1')
})

test('a camt entry with several transactions becomes one line for each, unless they do not add up', () => {
  const part = (naira: string, reference: string): string =>
    `<TxDtls><Refs><EndToEndId>${reference}</EndToEndId></Refs><Amt Ccy="NGN">${naira}</Amt></TxDtls>`
  const camt = (...parts: readonly string[]): string =>
    asCamt({ ...STATEMENT, lines: [{ day: DAY, amount: kobo(10_000n), reference: 'R', bankReference: 'B' }] }).replace(
      /<TxDtls>.*<\/TxDtls>/,
      parts.join(''),
    )
  const linesOf = (text: string) => read(text)[0]?.lines.map(({ amount, references }) => [amount, ...references])
  assert.deepEqual(linesOf(camt(part('60.00', 'A'), part('40.00', 'B'))), [
    [6_000n, 'A'],
    [4_000n, 'B'],
  ])
  assert.deepEqual(linesOf(camt(part('60.00', 'A'), part('30.00', 'B'))), [[10_000n]])
})

test('a mapping with unknown or missing settings is rejected', () => {
  for (const [text, reason] of [
    ['{', /not valid JSON/],
    ['{"column": {}}', /unknown fields: column/],
    ['{"columns": {"date": "D"}}', /an amount, or a credit and a debit/],
    ['{"columns": {"date": "D", "amount": "A", "colour": "C"}}', /unknown name colour/],
    ['{"delimiter": "x"}', /delimiter must be one of/],
    ['{"dateFormat": "DD"}', /dateFormat must be like/],
    ['{"feeWords": "fee"}', /feeWords must be a list/],
    ['{"skip": -1}', /skip must be/],
  ] as const)
    assert.throws(() => readMapping(text), reason)
})
