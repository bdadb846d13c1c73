import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { offsetClock } from '../../src/kernel/clock.ts'
import { openDatabase } from '../../src/platform/postgres/db.ts'
import { absentRails } from '../../src/rails/absent.ts'
import type { DebitOutcome, DebitRail } from '../../src/rails/debit.ts'
import { simulatedDebit } from '../../src/rails/simulated/debit.ts'
import { simulatedBook } from '../../src/rails/simulated/index.ts'
import { testWall } from '../harness/clock.ts'
import { ownDatabase } from '../harness/postgres.ts'
import { aDebitOrder, debitRailSuite } from './suites.ts'

/** The sandbox's rail on its own database, at a time that the test moves. */
async function simulated(t: TestContext): Promise<{ rail: DebitRail; pass: (seconds: number) => void }> {
  const { url, drop } = await ownDatabase()
  const db = openDatabase(url, 3)
  t.after(async () => {
    await db.end()
    await drop()
  })
  const clock = offsetClock(testWall)
  const rail = simulatedDebit({ clock, book: simulatedBook(db) })
  return { rail, pass: (seconds) => clock.setOffset(clock.offsetMilliseconds() + seconds * 1_000) }
}

debitRailSuite('simulated', async (t) => ({ rail: (await simulated(t)).rail, good: '0123456789', bad: '0123456001' }))

/** By the account's last digits: the response at once, to a query a little later, and to one much later. */
const ENDINGS: readonly [string, DebitOutcome['kind'], DebitOutcome['kind'], DebitOutcome['kind']][] = [
  ['001', 'declined', 'declined', 'declined'],
  ['002', 'unknown', 'unknown', 'paid'],
  ['003', 'paid', 'paid', 'paid'],
  ['004', 'declined', 'declined', 'declined'],
]

for (const [ending, first, soon, later] of ENDINGS)
  test(`a debit of an account ending ${ending} is ${first}, then ${later}`, async (t) => {
    const { rail, pass } = await simulated(t)
    const order = aDebitOrder(`0123456${ending}`)
    const sent = await rail.debit(order)
    assert.equal(sent.kind, first)
    assert.equal(sent.kind === 'declined' && sent.isStopped, ending === '004')
    pass(50)
    assert.equal((await rail.findDebit(order.reference)).kind, soon)
    pass(11)
    assert.equal((await rail.findDebit(order.reference)).kind, later)
    assert.equal((await rail.debit(order)).kind, later, 'a repeat returns its outcome')
  })

test('if no bank is connected nothing is debited, and earlier debits stay unknown', async () => {
  assert.equal((await absentRails.debit.debit(aDebitOrder('0123456789'))).kind, 'not sent')
  assert.deepEqual(await absentRails.debit.findDebit('anything'), { kind: 'unknown' })
})
