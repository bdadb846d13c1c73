import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changed, invariant, Refusal, refusal, refusals } from '../../src/kernel/errors.ts'

test('a refusal carries its declaration and a text made of its facts', () => {
  const declared = {
    code: 'TOO_MANY',
    status: 429,
    responseCode: 'D01',
    text: '{count} are too many for {whom}',
  } as const
  const rejected = refusal({ ...declared, retryAfterSeconds: 1 })(3, '{count} & $1')
  assert.ok(rejected instanceof Refusal && rejected instanceof Error)
  const { code, status, responseCode, message, headers } = rejected
  assert.deepEqual(
    [code, status, responseCode, message, headers],
    ['TOO_MANY', 429, 'D01', '3 are too many for {count} & $1', { 'retry-after': '1' }],
  )
  assert.deepEqual(refusals({ tooMany: declared }).tooMany(3, 'you').headers, {})
})

test('a refusal with another response is the same refusal', () => {
  const rejected = refusal({ code: 'FULL', status: 422, responseCode: 'D01', text: 'Full' })()
  const { code, status, responseCode, message, headers } = changed(rejected, { status: 400, headers: { allow: 'GET' } })
  assert.deepEqual([code, status, responseCode, message, headers], ['FULL', 400, 'D01', 'Full', { allow: 'GET' }])
})

test('creating a refusal leaves the stacks of real errors whole', () => {
  const limit = Error.stackTraceLimit
  refusal({ code: 'NO', status: 400, responseCode: '99', text: 'no' })()
  assert.equal(Error.stackTraceLimit, limit)
})

test('a broken invariant names its promise and is not a refusal', () => {
  invariant(1, 'holds')
  for (const broken of [false, 0, '', null, undefined])
    assert.throws(
      () => invariant(broken, 'the ledger balances'),
      (error: unknown) =>
        error instanceof Error &&
        !(error instanceof Refusal) &&
        error.message === 'Broken invariant: the ledger balances',
    )
})
