import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type Clock, offsetClock, secondsAfter } from '../../src/kernel/clock.ts'
import { openDatabase } from '../../src/platform/postgres/db.ts'
import { simulatedBook } from '../../src/rails/simulated/index.ts'
import { simulatedTransfers } from '../../src/rails/simulated/transfer.ts'
import type { FoundTransfer, TransferRail } from '../../src/rails/transfer.ts'
import { testWall } from '../harness/clock.ts'
import { ownDatabase } from '../harness/postgres.ts'
import { anOrder, transferRailSuite } from './suites.ts'

/** The sandbox's rail on its own database, at a time that the test moves. */
async function simulated(
  t: TestContext,
): Promise<{ rail: TransferRail; clock: Clock; pass: (seconds: number) => void }> {
  const { url, drop } = await ownDatabase()
  const db = openDatabase(url, 3)
  t.after(async () => {
    await db.end()
    await drop()
  })
  const clock = offsetClock(testWall)
  const rail = simulatedTransfers({ clock, book: simulatedBook(db) })
  return { rail, clock, pass: (seconds) => clock.setOffset(clock.offsetMilliseconds() + seconds * 1_000) }
}

transferRailSuite('simulated', async (t) => ({
  rail: (await simulated(t)).rail,
  good: '0123456789',
  bad: '0123456001',
}))

/** By the account's last digits: the response at once, to a query a little later, and to one much later. */
const ENDINGS: readonly [string, FoundTransfer['kind'], FoundTransfer['kind'], FoundTransfer['kind']][] = [
  ['001', 'failed', 'failed', 'failed'],
  ['002', 'unknown', 'unknown', 'succeeded'],
  ['003', 'succeeded', 'succeeded', 'succeeded'],
  ['004', 'failed', 'failed', 'failed'],
  ['005', 'unknown', 'unknown', 'failed'],
  ['006', 'succeeded', 'succeeded', 'succeeded'],
  ['007', 'succeeded', 'succeeded', 'succeeded'],
]

for (const [ending, first, soon, later] of ENDINGS)
  test(`a transfer to an account ending ${ending} has ${first}, then ${later}`, async (t) => {
    const { rail, pass } = await simulated(t)
    const order = anOrder(`0123456${ending}`)
    assert.equal((await rail.send(order)).kind, first)
    pass(50)
    assert.equal((await rail.find(order.reference)).kind, soon)
    pass(11)
    assert.equal((await rail.find(order.reference)).kind, later)
    assert.equal((await rail.send(order)).kind, later, 'a repeat returns its outcome')
  })

test('a transfer to an account ending 003 is not final for five minutes, and is then reversed', async (t) => {
  const { rail, pass, clock } = await simulated(t)
  const order = anOrder('0123456003')
  const before = clock.now()
  const sent = await rail.send(order)
  assert.ok(sent.kind === 'succeeded' && sent.finalAt !== undefined)
  assert.ok(sent.finalAt >= secondsAfter(before, 300) && sent.finalAt <= secondsAfter(clock.now(), 300))
  pass(295)
  assert.equal((await rail.find(order.reference)).kind, 'succeeded')
  pass(6)
  assert.deepEqual(await rail.find(order.reference), { kind: 'reversed', sessionId: sent.sessionId })
  assert.equal((await rail.send(order)).kind, 'succeeded', 'a repeat moves nothing')
})

test('an account ending 006 is at a bank that does not respond, and account 0000000000 does not exist', async (t) => {
  const { rail } = await simulated(t)
  const enquire = async (accountNumber: string) => (await rail.nameEnquiry({ bankCode: '058', accountNumber })).kind
  assert.equal(await enquire('0123456006'), 'unavailable')
  assert.equal(await enquire('0000000000'), 'not found')
  assert.equal(await enquire('0123456001'), 'found')
})
