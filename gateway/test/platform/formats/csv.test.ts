import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  BYTE_ORDER_MARK,
  CsvError,
  cell,
  line,
  readRecords,
  spreadsheetCell,
} from '../../../src/platform/formats/csv.ts'

test('a cell holds what was written, and never a formula', () => {
  for (const [value, expected] of [
    ['plain', '"plain"'],
    [null, ''],
    [1_234.5, '1234.5'],
    [-5, '-5'],
    [true, 'true'],
    ['-5.25', '"-5.25"'],
    ['=1+1', `"'=1+1"`],
    ['+234 803', `"'+234 803"`],
    ['-cmd', `"'-cmd"`],
    ['@here', `"'@here"`],
    ['\t=1', `"\t'=1"`],
    ["x;=cmd|' /C calc'!A0", `"x;'=cmd|' /C calc'!A0"`],
    ['x; "=1"', '"x; ""\'=1"""'],
    ['x\n+1;-2', `"x\n'+1;'-2"`],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    [{ a: 1 }, '"{""a"":1}"'],
  ] as const)
    assert.equal(cell(value), expected)
  assert.equal(line(['a', 2, null]), '"a",2,\r\n')
})

test('a spreadsheet keeps every digit of account numbers and session IDs', () => {
  for (const digits of ['0123456789', '5834617123', '999058261117225100000000000001'])
    assert.equal(spreadsheetCell(digits), `"=""${digits}"""`)
  assert.equal(spreadsheetCell('12500'), '"12500"')
  assert.equal(spreadsheetCell('=1+1'), `"'=1+1"`)
})

test('a file is read as it was written, whatever is in its cells', () => {
  const rows = [
    ['name', 'note'],
    ['a,b', 'say "hi"'],
    ['two\nlines', ''],
    ['', 'x'],
  ]
  const read = [...readRecords(BYTE_ORDER_MARK + rows.map(line).join(''))]
  assert.deepEqual(
    read.map(({ cells }) => cells),
    rows,
  )
  assert.deepEqual(
    read.map(({ start }) => start.number),
    [1, 2, 3, 5],
  )
  assert.deepEqual([...readRecords('a;"b;c"\n', ';')][0]?.cells, ['a', 'b;c'])
  for (const text of ['"open', '"a"b', ','.repeat(101)]) assert.throws(() => [...readRecords(text)], CsvError, text)
})
