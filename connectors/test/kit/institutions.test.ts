import assert from 'node:assert/strict'
import { test } from 'node:test'
import { offeredBanks } from '../../../gateway/src/core/bank-list/index.ts'
import { institutions } from '../../src/kit/index.ts'

test('connectors know the institution number of every bank that the gateway ships, and the bank of each number', () => {
  const { numberOf, bankOf } = institutions('')
  for (const { code, nipBankCode } of offeredBanks())
    assert.deepEqual([numberOf(code), bankOf(nipBankCode)], [nipBankCode, code])
})
