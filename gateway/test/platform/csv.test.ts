import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cell, line } from '../../src/platform/csv.ts'

test('a cell is what was written, and never a formula', () => {
  for (const [value, expected] of [
    ['plain', 'plain'],
    [null, ''],
    [1_234.5, '1234.5'],
    [-5, '-5'],
    ['-5.25', '-5.25'],
    ['=1+1', "'=1+1"],
    ['+234 803', "'+234 803"],
    ['-cmd', "'-cmd"],
    ['@here', "'@here"],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    [{ a: 1 }, '"{""a"":1}"'],
  ] as const)
    assert.equal(cell(value), expected)
  assert.equal(line(['a', 2, null]), 'a,2,\r\n')
})
