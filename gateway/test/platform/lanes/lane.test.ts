import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import pg from 'pg'
import { Refusal, refusal } from '../../../src/kernel/errors.ts'
import { lane } from '../../../src/platform/lanes/lane.ts'

const no = refusal({ code: 'NO', status: 422, responseCode: '99', text: '{what} is refused' })

/** An error as PostgreSQL sends it. */
const serverError = (code: string): Error =>
  Object.assign(new pg.DatabaseError('from the server', 1, 'error'), { severity: 'ERROR', code })

/** Each caller's result, or the message of its error. */
const outcomes = async (promises: readonly Promise<unknown>[]): Promise<unknown[]> =>
  (await Promise.allSettled(promises)).map((one) =>
    one.status === 'fulfilled' ? one.value : (one.reason as Error).message,
  )

/** Far longer than a busy machine takes between two steps of a test. */
const PATIENT = 600_000

/** A lane of one batch at a time by default, whose batches wait until the test releases the oldest. */
function heldLane(
  options: { batchMax?: number; batchesMax?: number; waitingMax?: number; waitMillisecondsMax?: number } = {},
) {
  const sets: (readonly number[])[] = []
  const gates: (() => void)[] = []
  const held = lane<number, number>({
    name: 'held',
    batchesMax: 1,
    waitMillisecondsMax: PATIENT,
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

test('requests of one turn form one batch, and each caller gets its own result', async () => {
  const sets: number[][] = []
  const sizes: number[] = []
  const double = lane<number, number>({
    name: 'double',
    onBatch: (size) => sizes.push(size),
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

test('requests that arrive while a batch runs form the next one', async () => {
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

test('a request that waits too long behind a stuck batch is rejected, and the batch itself is not', async () => {
  const { held, letGo } = heldLane({ waitMillisecondsMax: 20 })
  const first = held(1)
  await nextTurn()
  await assert.rejects(held(2), { code: 'BUSY' })
  assert.equal(held.depth(), 1)
  await letGo()
  assert.equal(await first, 10)
})

test('no more batches than allowed run at once, and the next starts when one ends', async () => {
  const { held, sets, letGo } = heldLane({ batchMax: 1, batchesMax: 2 })
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

test('a batch never exceeds its limit, and the rest follow in order', async () => {
  const sets: number[][] = []
  const bounded = lane<number, number>({
    name: 'bounded',
    batchMax: 3,
    run: async (requests) => {
      sets.push([...requests])
      return requests
    },
  })
  assert.deepEqual(await Promise.all([1, 2, 3, 4, 5, 6, 7].map(bounded)), [1, 2, 3, 4, 5, 6, 7])
  assert.deepEqual(sets, [[1, 2, 3], [4, 5, 6], [7]])
})

test('one rejected request never fails the others of its batch', async () => {
  const picky = lane<number, number>({
    name: 'picky',
    run: async (requests) => requests.map((n) => (n === 2 ? no(n) : n)),
  })
  assert.deepEqual(await outcomes([picky(1), picky(2), picky(3)]), [1, '2 is refused', 3])
})

test('when PostgreSQL rejects a batch, each request is tried alone and only the faulty one fails', async () => {
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
  ['an internal error', new TypeError('undefined is not a function')],
] as const) {
  test(`after ${what} it is unknown what was committed: all fail and none is retried`, async () => {
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

test('a lane that failed still runs later requests', async () => {
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

test('a batch with too few results fails as a whole: a missing result is never taken for success', async () => {
  const short = lane<number, number>({ name: 'short', run: async (requests) => requests.slice(1) })
  const [first, second] = await outcomes([short(1), short(2)])
  assert.match(String(first), /Broken invariant: lane short/)
  assert.equal(second, first)
})

test('a full lane rejects at once with 503 and Retry-After, and still serves the waiting requests', async () => {
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

test('the depth counts each request once, from its arrival to its result', async () => {
  const { held, letGo } = heldLane({ batchMax: 2 })
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

test('an idle lane is drained at once, a busy one when its last request has its result', async () => {
  const { held, letGo } = heldLane({ batchMax: 1, batchesMax: 2 })
  await held.drained()
  const answered: number[] = []
  for (const n of [1, 2]) void held(n).then((result) => answered.push(result))
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

test('requests of two shards never share a batch, and each shard has its own queue', async () => {
  const sets: (readonly number[])[] = []
  const spread = lane<number, number>({
    name: 'spread',
    batchesMax: 1,
    shardOf: (n) => n % 2,
    run: async (requests) => {
      sets.push(requests)
      return requests.map((n) => n * 10)
    },
  })
  const results = [1, 2, 3, 4].map(spread)
  assert.equal(spread.depth(), 4)
  assert.deepEqual(await Promise.all(results), [10, 20, 30, 40])
  assert.deepEqual(sets, [
    [1, 3],
    [2, 4],
  ])
  await spread.drained()
  assert.equal(spread.depth(), 0)
})
