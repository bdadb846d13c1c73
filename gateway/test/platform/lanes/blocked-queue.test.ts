import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import * as contract from '@kobo/contract'
import pg from 'pg'
import { lane } from '../../../src/platform/lanes/lane.ts'
import { aShop, type Client } from '../../harness/gateway.ts'
import { aTransfer } from '../../harness/samples.ts'
import { slow } from '../../harness/slow.ts'
import { until } from '../../harness/until.ts'

const tooLate = (): Error =>
  Object.assign(new pg.DatabaseError('canceling statement due to lock timeout', 1, 'error'), {
    severity: 'ERROR',
    code: '55P03',
  })

const settled = async (promise: Promise<unknown>): Promise<boolean> => {
  let isSettled = false
  promise.then(
    () => (isSettled = true),
    () => (isSettled = true),
  )
  await nextTurn()
  return isSettled
}

/**
 * A lane for texts such as `a1`; those with the same first letter need the same row, and the test says which rows are
 * locked.
 */
function keptLane() {
  const sets: string[] = []
  const held = new Set<string>()
  const waits: { readonly letters: readonly string[]; readonly end: () => void }[] = []
  const testLane = lane<string, string>({
    name: 'kept',
    batchesMax: 1,
    blockedBy: (text) => text[0],
    run: async (texts) => {
      sets.push(texts.join(' '))
      const letters = texts.map((text) => text[0] as string).filter((letter) => held.has(letter))
      if (letters.length === 0) return texts
      await new Promise<void>((end) => waits.push({ letters, end }))
      throw tooLate()
    },
  })
  /** Times out the requests that have waited longest for their rows. */
  const timeOut = async (): Promise<void> => {
    await until('a request waits', () => waits.length > 0)
    waits.shift()?.end()
    await nextTurn()
  }
  return { kept: testLane, sets, held, timeOut }
}

test('a batch waiting for a locked row is split: requests for that row wait alone, and all others get a response', async () => {
  const { kept, sets, held, timeOut } = keptLane()
  held.add('a')
  const guilty = [kept('a1'), kept('a2')]
  const others = [kept('b1'), kept('c1'), kept('b2')]
  await timeOut()
  assert.deepEqual(await Promise.all(others), ['b1', 'c1', 'b2'])
  assert.equal(await settled(Promise.race(guilty)), false)
  assert.deepEqual(sets, ['a1 a2 b1 c1 b2', 'a1 a2', 'b1 b2', 'c1'])
  const rejected = Promise.all(guilty.map((one) => assert.rejects(one, { code: '55P03' })))
  await timeOut()
  await rejected
})

test('while a row is locked, requests for it wait outside the lane and join no batch; once it is free, they join again', async () => {
  const { kept, sets, held, timeOut } = keptLane()
  held.add('a')
  const first = assert.rejects(kept('a1'), { code: '55P03' })
  await timeOut()
  await first
  const second = assert.rejects(kept('a2'), { code: '55P03' })
  assert.deepEqual(await Promise.all([kept('b1'), kept('c1')]), ['b1', 'c1'])
  await timeOut()
  await second
  held.clear()
  assert.deepEqual(await Promise.all([kept('a3'), kept('b2')]), ['a3', 'b2'])
  assert.deepEqual(await Promise.all([kept('a4'), kept('b3')]), ['a4', 'b3'])
  assert.deepEqual(sets, ['a1', 'a2', 'b1 c1', 'a3', 'b2', 'a4 b3'])
  assert.equal(kept.depth(), 0)
  await kept.drained()
})

test('the places outside the lane are limited: one more request for a locked row is rejected at once', async () => {
  const { kept, held, timeOut } = keptLane()
  for (const letter of 'abc') held.add(letter)
  for (const text of ['a1', 'b1', 'c1']) {
    const rejected = assert.rejects(kept(text), { code: '55P03' })
    await timeOut()
    await rejected
  }
  const waiting = ['a2', 'b2', 'b3'].map((text) => assert.rejects(kept(text), { code: '55P03' }))
  await assert.rejects(kept('c2'), { code: 'BUSY' })
  assert.equal(kept.depth(), 3)
  const drained = kept.drained()
  for (let sets = 0; sets < 3; sets++) await timeOut()
  await Promise.all(waiting)
  await drained
})

slow('a locked wallet is 503 with Retry-After for its own requests, and does not affect other merchants', async (t) => {
  const shop = await aShop()
  const other = await shop.anotherMerchant()
  for (const client of [shop, other])
    await client.call(contract.fundWallet, {
      body: { accountNumber: client.credentials.walletAccountNumber, amount: 100_000 },
    })
  let amount = 1_000 // different each time: an immediate repeat would be rejected as a duplicate
  const send = async (client: Client) =>
    client.send('POST', contract.initiateTransfer.path, { body: await aTransfer(client, { amount: amount++ }) })
  const stranger = new pg.Client(shop.db.url)
  await stranger.connect()
  t.after(() => stranger.end())
  await stranger.query('begin')
  await stranger.query('select from wallet where merchant_id = $1 for update', [shop.merchantId])

  for (let time = 0; time < 2; time++) {
    const [rejected, ...sent] = await Promise.all([send(shop), send(other), send(other), send(other)])
    assert.deepEqual([rejected?.status, rejected?.headers.get('retry-after')], [503, '1'])
    assert.equal(rejected?.headers.get(contract.REFUSAL_HEADER), 'BUSY')
    for (const { status, text } of sent) assert.equal(status, 200, text)
  }

  await stranger.query('rollback')
  assert.equal((await send(shop)).status, 200)
})
