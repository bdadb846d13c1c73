import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secondsAfter } from '../../../src/kernel/clock.ts'
import { counter } from '../../../src/platform/http/rate-limit.ts'

const START = new Date('2026-03-01T09:30:00Z')
const LIMIT = { perMinute: 2, sparesLoopback: true }

/** A counter whose time stands still until the test moves it. */
function counting(limit = LIMIT, callersMax?: number) {
  let now = START
  const counted = counter({ now: () => now }, limit, callersMax)
  return {
    ...counted,
    times: (address: string, times: number) => {
      for (let time = 0; time < times; time++) counted.count(address)
    },
    wait: (seconds: number) => {
      now = secondsAfter(now, seconds)
    },
  }
}

test('a quota is used up and renewed a minute later', () => {
  const { times, usedUp, wait } = counting()
  times('203.0.113.7', 1)
  assert.equal(usedUp('203.0.113.7'), undefined)
  times('203.0.113.7', 1)
  assert.equal(usedUp('203.0.113.7'), 60)
  assert.equal(usedUp('203.0.113.8'), undefined)
  wait(59)
  assert.equal(usedUp('203.0.113.7'), 1)
  wait(1)
  assert.equal(usedUp('203.0.113.7'), undefined)
})

test('all addresses of an IPv6 /64 network share one quota, and so do both spellings of an IPv4 address', () => {
  const { count, usedUp } = counting()
  count('2c0f:f00:1:2::1')
  count('2c0f:f00:1:2:ffff::9')
  assert.equal(usedUp('2c0f:f00:1:2::abcd'), 60)
  assert.equal(usedUp('2c0f:f00:1:3::1'), undefined)
  count('203.0.113.7')
  count('::ffff:203.0.113.7')
  assert.equal(usedUp('::ffff:cb00:7107'), 60)
})

test('a caller from very many networks displaces only the oldest counts, and resets no other caller’s', () => {
  const { times, count, usedUp } = counting(LIMIT, 10)
  times('10.0.0.1', 1)
  times('203.0.113.7', 2)
  for (let nth = 0; nth < 9; nth++) count(`198.51.100.${nth}`)
  assert.equal(usedUp('203.0.113.7'), 60)
})

test('loopback is exempt if configured, and everyone is if no limit is set', () => {
  const spared = counting()
  spared.times('127.0.0.1', 5)
  assert.equal(spared.usedUp('127.0.0.1'), undefined)
  const none = counting({ perMinute: 0, sparesLoopback: false })
  none.times('203.0.113.7', 5)
  assert.equal(none.usedUp('203.0.113.7'), undefined)
})
