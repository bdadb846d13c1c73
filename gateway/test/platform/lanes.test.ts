import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import pg from 'pg'
import { Refusal, refusal } from '../../src/kernel/errors.ts'
import { lane } from '../../src/platform/lanes.ts'

const no = refusal({ code: 'NO', status: 422, responseCode: '99', text: '{what} is refused' })

/** An error as PostgreSQL sends it. */
const serverError = (code: string): Error =>
  Object.assign(new pg.DatabaseError('from the server', 1, 'error'), { severity: 'ERROR', code })

/** What one caller got: its answer, or the message of its error. */
const outcomes = async (promises: readonly Promise<unknown>[]): Promise<unknown[]> =>
  (await Promise.allSettled(promises)).map((one) =>
    one.status === 'fulfilled' ? one.value : (one.reason as Error).message,
  )

/** A lane of one set at a time unless told otherwise, whose sets wait until the test lets the oldest go. */
function heldLane(
  options: { setMax?: number; setsMax?: number; waitingMax?: number; waitMillisecondsMax?: number } = {},
) {
  const sets: (readonly number[])[] = []
  const gates: (() => void)[] = []
  const held = lane<number, number>({
    name: 'held',
    setsMax: 1,
    ...options,
    run: async (requests) => {
      sets.push(requests)
      await new Promise<void>((resolve) => gates.push(resolve))
      return requests.map((n) => n * 10)
    },
  })
  const letGo = async (): Promise<void> => {
    await nextTurn()
    gates.shift()?.()
    await nextTurn()
  }
  return { held, sets, letGo }
}

test('requests of one turn are one set, and each caller gets its own answer', async () => {
  const sets: number[][] = []
  const sizes: number[] = []
  const double = lane<number, number>({
    name: 'double',
    onSet: (size) => sizes.push(size),
    run: async (requests) => {
      sets.push([...requests])
      return requests.map((n) => n * 2)
    },
  })
  assert.deepEqual(await Promise.all([3, 1, 2].map(double)), [6, 2, 4])
  assert.deepEqual(sets, [[3, 1, 2]])
  assert.deepEqual(sizes, [3])
  assert.equal(double.lane, 'double')
})

test('requests that arrive while a set is under way form the next one', async () => {
  const { held, sets, letGo } = heldLane()
  const first = held(1)
  await nextTurn()
  const later = [held(2), held(3)]
  await nextTurn()
  assert.deepEqual(sets, [[1]])
  await letGo()
  await letGo()
  assert.deepEqual(await Promise.all([first, ...later]), [10, 20, 30])
  assert.deepEqual(sets, [[1], [2, 3]])
})

test('who waits too long behind a set that hangs is refused, and the set itself is not', async () => {
  const { held, letGo } = heldLane({ waitMillisecondsMax: 20 })
  const first = held(1)
  await nextTurn()
  await assert.rejects(held(2), { code: 'BUSY' })
  assert.equal(held.depth(), 1)
  await letGo()
  assert.equal(await first, 10)
})

test('no more sets than allowed are under way at once, and those after start as one of them ends', async () => {
  const { held, sets, letGo } = heldLane({ setMax: 1, setsMax: 2 })
  const all = [1, 2, 3, 4].map(held)
  await nextTurn()
  await nextTurn()
  await nextTurn()
  assert.deepEqual(sets, [[1], [2]])
  await letGo()
  await nextTurn()
  assert.deepEqual(sets, [[1], [2], [3]])
  for (let i = 0; i < 3; i++) await letGo()
  assert.deepEqual(await Promise.all(all), [10, 20, 30, 40])
})

test('a set never holds more than its bound, and the rest follow in the order they came', async () => {
  const sets: number[][] = []
  const bounded = lane<number, number>({
    name: 'bounded',
    setMax: 3,
    run: async (requests) => {
      sets.push([...requests])
      return requests
    },
  })
  assert.deepEqual(await Promise.all([1, 2, 3, 4, 5, 6, 7].map(bounded)), [1, 2, 3, 4, 5, 6, 7])
  assert.deepEqual(sets, [[1, 2, 3], [4, 5, 6], [7]])
})

test('a refusal of one request never fails its neighbours', async () => {
  const picky = lane<number, number>({
    name: 'picky',
    run: async (requests) => requests.map((n) => (n === 2 ? no(n) : n)),
  })
  assert.deepEqual(await outcomes([picky(1), picky(2), picky(3)]), [1, '2 is refused', 3])
})

test('when PostgreSQL refuses a set, each is tried alone and only the guilty one fails', async () => {
  const sets: number[][] = []
  const guilty = lane<number, number>({
    name: 'guilty',
    run: async (requests) => {
      sets.push([...requests])
      if (requests.includes(2)) throw serverError('23514')
      return requests.map((n) => (n === 3 ? no(n) : n))
    },
  })
  assert.deepEqual(await outcomes([guilty(1), guilty(2), guilty(3), guilty(4)]), [
    1,
    'from the server',
    '3 is refused',
    4,
  ])
  assert.deepEqual(sets, [[1, 2, 3, 4], [1], [2], [3], [4]])
})

for (const [what, error] of [
  ['a lost connection', Object.assign(new Error('write CONNECTION_CLOSED'), { code: 'CONNECTION_CLOSED' })],
  ['a mistake of ours', new TypeError('undefined is not a function')],
] as const) {
  test(`after ${what} nobody knows what was committed: all fail and none is tried again`, async () => {
    let runs = 0
    const broken = lane<number, number>({
      name: 'broken',
      run: async () => {
        runs++
        throw error
      },
    })
    assert.deepEqual(await outcomes([broken(1), broken(2)]), [error.message, error.message])
    assert.equal(runs, 1)
  })
}

test('a lane that failed carries out what comes after', async () => {
  let runs = 0
  const recovering = lane<number, number>({
    name: 'recovering',
    run: (requests) => {
      if (++runs === 1) throw new Error('thrown before any promise')
      return Promise.resolve(requests)
    },
  })
  assert.deepEqual(await outcomes([recovering(1)]), ['thrown before any promise'])
  assert.equal(await recovering(2), 2)
})

test('a set that is answered with too few answers fails as a whole: nobody takes silence for success', async () => {
  const short = lane<number, number>({ name: 'short', run: async (requests) => requests.slice(1) })
  const [first, second] = await outcomes([short(1), short(2)])
  assert.match(String(first), /Broken invariant: lane short/)
  assert.equal(second, first)
})

test('a full lane refuses at once with 503 and Retry-After, and still serves those who wait', async () => {
  const { held, letGo } = heldLane({ waitingMax: 2 })
  const first = held(1)
  await nextTurn()
  const waiting = [held(2), held(3)]
  await assert.rejects(
    held(4),
    (error: unknown) => error instanceof Refusal && error.status === 503 && error.headers['retry-after'] === '1',
  )
  await letGo()
  await letGo()
  assert.deepEqual(await Promise.all([first, ...waiting]), [10, 20, 30])
  const again = held(5)
  await letGo()
  assert.equal(await again, 50)
})

test('the depth counts each request once, from its arrival to its answer', async () => {
  const { held, letGo } = heldLane({ setMax: 2 })
  assert.equal(held.depth(), 0)
  const all = [held(1), held(2), held(3)]
  assert.equal(held.depth(), 3)
  await nextTurn()
  assert.equal(held.depth(), 3)
  await letGo()
  assert.equal(held.depth(), 1)
  await letGo()
  await Promise.all(all)
  assert.equal(held.depth(), 0)
})

test('a lane is drained at once when idle, and else when the last of those who wait has its answer', async () => {
  const { held, letGo } = heldLane({ setMax: 1, setsMax: 2 })
  await held.drained()
  const answered: number[] = []
  for (const n of [1, 2]) void held(n).then((answer) => answered.push(answer))
  let drained = false
  const draining = held.drained().then(() => {
    drained = true
  })
  await letGo()
  assert.deepEqual({ drained, answered }, { drained: false, answered: [10] })
  await letGo()
  await draining
  assert.deepEqual(answered, [10, 20])
})

test('requests of two shards never make one set, and each shard has a queue of its own', async () => {
  const sets: (readonly number[])[] = []
  const spread = lane<number, number>({
    name: 'spread',
    setsMax: 1,
    shardOf: (n) => n % 2,
    run: async (requests) => {
      sets.push(requests)
      return requests.map((n) => n * 10)
    },
  })
  const answers = [1, 2, 3, 4].map(spread)
  assert.equal(spread.depth(), 4)
  assert.deepEqual(await Promise.all(answers), [10, 20, 30, 40])
  assert.deepEqual(sets, [
    [1, 3],
    [2, 4],
  ])
  await spread.drained()
  assert.equal(spread.depth(), 0)
})
