import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openBreaker } from '../../../src/core/orders/breaker.ts'
import { secondsAfter } from '../../../src/kernel/clock.ts'

const MOST = 128

/** A breaker whose time the test sets. */
function atHand() {
  let now = new Date('2026-03-01T09:30:00Z')
  const breaker = openBreaker({ now: () => now })
  return {
    ...breaker,
    pass: (seconds: number): void => {
      now = secondsAfter(now, seconds)
    },
    noResponses: (times: number): void => {
      for (let n = 0; n < times; n++) breaker.note('bank', false)
    },
  }
}

test('a slot is paused after five calls in a row without a response, and no other with it', () => {
  const { limit, note, paused, noResponses } = atHand()
  noResponses(4)
  assert.equal(limit('bank', MOST), MOST)
  note('bank', true)
  noResponses(4)
  assert.deepEqual([limit('bank', MOST), paused()], [MOST, []], 'any response ends the row')
  noResponses(1)
  assert.deepEqual([limit('bank', MOST), limit('other', MOST), paused()], [0, MOST, ['bank']])
})

test('after its pause one call at a time goes through; one response lets all through again', () => {
  const { limit, note, noResponses, pass } = atHand()
  noResponses(5)
  pass(9)
  assert.equal(limit('bank', MOST), 0)
  pass(1)
  assert.equal(limit('bank', MOST), 1)
  note('bank', true)
  assert.equal(limit('bank', MOST), MOST)
})

test('each pause is twice as long as the previous one, up to five minutes', () => {
  const { limit, noResponses, pass } = atHand()
  noResponses(5)
  for (const seconds of [10, 20, 40, 80, 160, 300, 300]) {
    pass(seconds - 1)
    assert.equal(limit('bank', MOST), 0, `${seconds} s`)
    pass(1)
    assert.equal(limit('bank', MOST), 1)
    noResponses(1)
  }
})
