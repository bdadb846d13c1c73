import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changed, invariant, Refusal, refusal, refusals } from '../../src/kernel/errors.ts'

test('a refusal carries what was declared of it, and its text made of the facts', () => {
  const declared = {
    code: 'TOO_MANY',
    status: 429,
    responseCode: 'D01',
    text: '{count} are too many for {whom}',
  } as const
  const refused = refusal({ ...declared, retryAfterSeconds: 1 })(3, '{count} & $1')
  assert.ok(refused instanceof Refusal && refused instanceof Error)
  const { code, status, responseCode, message, headers } = refused
  assert.deepEqual(
    [code, status, responseCode, message, headers],
    ['TOO_MANY', 429, 'D01', '3 are too many for {count} & $1', { 'retry-after': '1' }],
  )
  assert.deepEqual(refusals({ tooMany: declared }).tooMany(3, 'you').headers, {})
})

test('a refusal that is answered differently is the same refusal', () => {
  const refused = refusal({ code: 'FULL', status: 422, responseCode: 'D01', text: 'Full' })()
  const { code, status, responseCode, message, headers } = changed(refused, { status: 400, headers: { allow: 'GET' } })
  assert.deepEqual([code, status, responseCode, message, headers], ['FULL', 400, 'D01', 'Full', { allow: 'GET' }])
})

test('making a refusal leaves the stacks of true errors whole', () => {
  const limit = Error.stackTraceLimit
  refusal({ code: 'NO', status: 400, responseCode: '99', text: 'no' })()
  assert.equal(Error.stackTraceLimit, limit)
})

test('a broken invariant names its promise and is no refusal', () => {
  invariant(1, 'holds')
  for (const broken of [false, 0, '', null, undefined])
    assert.throws(
      () => invariant(broken, 'the books balance'),
      (error: unknown) =>
        error instanceof Error &&
        !(error instanceof Refusal) &&
        error.message === 'Broken invariant: the books balance',
    )
})
