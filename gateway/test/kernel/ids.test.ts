import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  firstIdAt,
  firstTransactionIdAt,
  idSource,
  idsIn,
  momentOfId,
  NODES_MAX,
  randomCode,
  randomDigits,
  transactionIdOf,
  ulid,
} from '../../src/kernel/ids.ts'
import { isNuban, nuban } from '../../src/kernel/nuban.ts'

const START = Date.parse('2026-03-01T09:30:00.000Z')
const START_SECOND = START / 1_000

/** A clock that the test sets. */
function handClock(milliseconds = START): { now: () => Date; milliseconds: number } {
  const clock = { now: () => new Date(clock.milliseconds), milliseconds }
  return clock
}

const sourceAt = (milliseconds: number, number = 7, firstSecond = 0) => {
  const clock = handClock(milliseconds)
  return { clock, ids: idSource(clock, 'KOBO', { number, firstSecond }) }
}

test('a transaction reference names its node and its second', () => {
  const { clock, ids } = sourceAt(START)
  assert.match(ids.transactionReference(), /^KOBO\|07\|20260301093000\|\d{6}$/)
  clock.milliseconds += 1_000
  assert.match(ids.transactionReference(), /^KOBO\|07\|20260301093001\|\d{6}$/)
})

const counterOf = (reference: string): number => Number(reference.slice(-6))

test('a transaction reference does not reveal others: each second starts at random, and the steps vary', () => {
  const { clock, ids } = sourceAt(START)
  const seconds = Array.from({ length: 200 }, () => {
    clock.milliseconds += 1_000
    return [counterOf(ids.transactionReference()), counterOf(ids.transactionReference())] as const
  })
  const starts = seconds.map(([first]) => first)
  assert.ok(new Set(starts).size > 190, 'two seconds hardly ever start the same')
  assert.ok(Math.max(...starts) > 400_000 && Math.min(...starts) < 100_000, 'they start anywhere in the first half')
  assert.ok(new Set(seconds.map(([first, second]) => second - first)).size > 20, 'the steps differ')
})

test('every reference has the format that clients expect', () => {
  for (const number of [0, 7, 99]) {
    const { ids } = sourceAt(START, number)
    assert.match(ids.transactionReference(), /^KOBO\|\d{2}\|\d{14}\|\d{6}$/)
    assert.match(ids.sessionId('000035'), /^000035260301093000\d{12}$/)
    assert.match(ids.disbursementReference('KFDS'), /^KFDS\d{3}20260301093000\d{6}[A-Z0-9]{6}$/)
    assert.ok(ids.id() > 0n && ids.id() < 2n ** 63n)
  }
})

test('a node number beyond two digits is rejected', () => {
  for (const number of [-1, NODES_MAX]) assert.throws(() => sourceAt(START, number), /two digits/)
})

test('a second has room for fifteen thousand references; then the next second is borrowed, without a repeat', () => {
  const { clock, ids } = sourceAt(START)
  const made = Array.from({ length: 15_000 }, ids.transactionReference)
  assert.ok(made.every((reference) => reference.startsWith('KOBO|07|20260301093000|')))
  for (let i = 0; i < 1_000_000 && made.at(-1)?.includes('093000'); i++) made.push(ids.transactionReference())
  assert.match(made.at(-1) ?? '', /^KOBO\|07\|20260301093001\|\d{6}$/)
  clock.milliseconds += 1_000 // time catches up with the borrowed seconds
  for (let i = 0; i < 10; i++) made.push(ids.transactionReference())
  assert.match(made.at(-1) ?? '', /^KOBO\|07\|20260301093001\|\d{6}$/)
  assert.deepEqual(made, [...new Set(made)].sort())
})

test('short references have four hex digits, differ on every node, and borrow the next second when one is used up', () => {
  const seen = new Set<string>()
  for (const number of [0, 1, NODES_MAX - 1]) {
    const { ids } = sourceAt(START, number)
    for (let i = 0; i < 1_000; i++) {
      const reference = ids.shortReference('KFBP')
      assert.match(reference, /^KFBP2603010930\d\d[0-9a-f]{4}$/)
      seen.add(reference)
    }
  }
  assert.equal(seen.size, 3_000)
})

test('ids stay ascending and unique when a millisecond is used up', () => {
  const { ids } = sourceAt(START)
  let last = -1n
  for (let i = 0; i < 100_000; i++) {
    const id = ids.id()
    assert.ok(id > last)
    last = id
  }
})

/** Events of a node: time moves (also backwards), or references are requested. */
const steps = fc.array(
  fc.oneof(
    fc.record({ move: fc.integer({ min: -5_000, max: 5_000 }) }),
    fc.record({ make: fc.integer({ min: 1, max: 20 }) }),
  ),
  {
    maxLength: 30,
  },
)

test('whatever the clock does, ids and references of one node ascend and none repeats', () => {
  fc.assert(
    fc.property(steps, (happenings) => {
      const { clock, ids } = sourceAt(START, 7, START_SECOND)
      const made: bigint[] = []
      const references: string[] = []
      for (const step of happenings) {
        if ('move' in step) clock.milliseconds += step.move
        else for (let i = 0; i < step.make; i++) references.push(ids.transactionReference()) && made.push(ids.id())
      }
      assert.deepEqual(
        made,
        [...new Set(made)].sort((a, b) => (a < b ? -1 : 1)),
      )
      assert.deepEqual(references, [...new Set(references)].sort())
    }),
  )
})

test('nodes at the same moment never make the same id, reference or session', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: 0, max: NODES_MAX - 1 }), { minLength: 2, maxLength: 10 }),
      (numbers) => {
        const sources = numbers.map((number) => sourceAt(START, number).ids)
        const made = sources.flatMap((ids) => [
          ids.id(),
          ids.id(),
          ids.transactionReference(),
          ids.sessionId('000035'),
          ids.disbursementReference('KFDS'),
          ids.sessionId('000035'),
        ])
        assert.equal(new Set(made).size, made.length)
      },
    ),
  )
})

test('a process that takes over a node number repeats nothing, even if its clock is behind', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10_000 }), fc.integer({ min: -10_000, max: 0 }), (ran, behind) => {
      const { clock, ids } = sourceAt(START, 7, START_SECOND)
      const earlier = [ids.transactionReference(), ids.id()]
      clock.milliseconds += ran
      earlier.push(ids.transactionReference(), ids.id())
      const firstSecond = Math.floor(clock.milliseconds / 1_000) + 1
      const { ids: later } = sourceAt(clock.milliseconds + behind, 7, firstSecond)
      const made = [...earlier, later.transactionReference(), later.id()]
      assert.equal(new Set(made).size, made.length)
    }),
  )
})

test('random codes have the requested length and use their whole alphabet and nothing else', () => {
  for (const length of [0, 1, 10, 32]) {
    assert.match(randomCode(length), new RegExp(`^[A-Z0-9]{${length}}$`))
    assert.match(randomDigits(length), new RegExp(`^\\d{${length}}$`))
  }
  assert.equal(new Set(randomCode(5_000)).size, 36)
  assert.equal(new Set(randomDigits(5_000)).size, 10)
})

test('a ULID starts with its time and uses only letters and digits that people do not confuse', () => {
  assert.match(ulid(new Date(1_469_918_176_385)), /^01ARYZ6S41[0-9A-HJKMNP-TV-Z]{16}$/) // the example of the ULID specification
  assert.match(ulid(new Date(0)), /^0{10}/)
  assert.match(ulid(new Date(2 ** 48 - 1)), /^7Z{9}/)
  assert.throws(() => ulid(new Date(2 ** 48)), /48 bits/)
})

test('ULIDs of one moment differ, and those of a later moment sort after them', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 48 - 2 }), fc.integer({ min: 1, max: 10_000 }), (time, later) => {
      const first = ulid(new Date(time))
      assert.notEqual(first, ulid(new Date(time)))
      assert.ok(first < ulid(new Date(Math.min(time + later, 2 ** 48 - 1))))
    }),
  )
})

for (const [bankCode, accountNumber, why] of [
  ['011', '0000014579', 'the example of the CBN’s circular'],
  ['000011', '0000014579', 'six digits are used as they are'],
] as const) {
  test(`${accountNumber} is an account number at ${bankCode}: ${why}`, () => {
    assert.ok(isNuban(bankCode, accountNumber))
    assert.equal(nuban(bankCode, accountNumber.slice(0, 9)), accountNumber)
  })
}

const someDigits = (length: number) => fc.stringMatching(new RegExp(`^\\d{${length}}$`))

test('the check digit makes the weighted sum of all sixteen digits a multiple of ten', () => {
  fc.assert(
    fc.property(fc.oneof(someDigits(3), someDigits(5), someDigits(6)), someDigits(9), (bankCode, serial) => {
      const institution = { 3: `000${bankCode}`, 5: `9${bankCode}`, 6: bankCode }[bankCode.length] ?? ''
      const digits = [...institution, ...nuban(bankCode, serial)].map(Number)
      const weights = [3, 7, 3, 3, 7, 3, 3, 7, 3, 3, 7, 3, 3, 7, 3, 1]
      assert.equal(digits.reduce((total, digit, place) => total + digit * (weights[place] ?? 0), 0) % 10, 0)
    }),
  )
})

test('one wrong digit anywhere in an account number is detected', () => {
  fc.assert(
    fc.property(someDigits(9), fc.nat(9), fc.integer({ min: 1, max: 9 }), (serial, place, change) => {
      const digits = [...nuban('50515', serial)].map(Number)
      digits[place] = ((digits[place] ?? 0) + change) % 10
      assert.equal(isNuban('50515', digits.join('')), false)
    }),
  )
})

for (const accountNumber of ['', '000001457', '00000145790', '000001457X', ' 0000014579', '００００００１４５７９']) {
  test(`${JSON.stringify(accountNumber)} is not an account number`, () =>
    assert.equal(isNuban('011', accountNumber), false))
}

test('a serial or a bank code of another length is an internal error', () => {
  assert.throws(() => nuban('011', '12345678'), /Broken invariant/)
  for (const bankCode of ['', '11', '0110000', 'ABC'])
    assert.throws(() => nuban(bankCode, '000001457'), /Broken invariant/)
})

test('each transaction reference has its own id, later references have greater ones, and nothing else has one', () => {
  const ids = idSource({ now: () => new Date('2026-03-01T09:30:00Z') }, 'KOBO', { number: 7, firstSecond: 0 })
  const made = Array.from({ length: 1_000 }, () => transactionIdOf(ids.transactionReference()) ?? assert.fail('no id'))
  assert.deepEqual(
    made,
    made.toSorted((a, b) => (a < b ? -1 : 1)),
  )
  assert.equal(new Set(made).size, made.length)
  assert.ok(made.every((id) => id > 0n && id < 2n ** 63n))
  assert.notEqual(transactionIdOf('KOBO|08|20260301093000|000000'), transactionIdOf('KOBO|07|20260301093000|000000'))
  for (const text of ['', 'KOBO', 'order-1', 'KOBO|7|20260301093000|000000', 'KOBO|07|20200301093000|000000'])
    assert.equal(transactionIdOf(text), undefined, text)
})

test('an id contains its time, whatever its node, and ids of one moment lie between its first and the next', () => {
  for (const number of [0, 7, 99]) {
    const { ids } = sourceAt(START + 123, number)
    const [id, { id: transaction }] = [ids.id(), ids.transaction()]
    assert.equal(momentOfId(id).getTime(), START + 123)
    assert.ok(id >= firstIdAt(new Date(START + 123)) && id < firstIdAt(new Date(START + 124)))
    assert.ok(transaction >= firstTransactionIdAt(new Date(START + 999)))
    assert.ok(transaction < firstTransactionIdAt(new Date(START + 1_000)))
  }
  assert.equal(firstIdAt(new Date(START)) + idsIn(60), firstIdAt(new Date(START + 60_000)))
})

test('installations with different node numbers share no reference at a partner, in any second', () => {
  const made = [19, 20].map((number) => {
    const { ids } = sourceAt(START, number)
    return Array.from({ length: 1_000 }, () => [String(ids.id()), ids.shortReference('KFBP'), ids.sessionId('000035')])
  })
  const all = made.flat(2)
  assert.equal(new Set(all).size, all.length)
})
