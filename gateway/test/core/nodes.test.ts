import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { type BusinessClock, openBusinessClock } from '../../src/core/business-clock.ts'
import { type NodeLease, takeNodeNumber, whileHealthy } from '../../src/core/nodes.ts'
import { type Clock, secondsAfter, wallClock } from '../../src/kernel/clock.ts'
import { idSource, NODES_MAX } from '../../src/kernel/ids.ts'
import { openChannels } from '../../src/platform/postgres/channels.ts'
import { type Db, inTransaction, openDatabase } from '../../src/platform/postgres/db.ts'
import { databaseProxy } from '../harness/database-proxy.ts'
import { asOwner, ownDatabase } from '../harness/postgres.ts'
import { slow } from '../harness/slow.ts'
import { until } from '../harness/until.ts'

const NOW = new Date('2026-03-01T09:30:00Z')
const SECOND = NOW.getTime() / 1_000

/** This many processes on one database of the test's own. */
async function processes(t: TestContext, count: number): Promise<readonly Db[]> {
  const { url, drop } = await ownDatabase()
  const dbs = Array.from({ length: count }, () => openDatabase(url, 4))
  t.after(async () => {
    await Promise.all(dbs.map((db) => db.end()))
    await drop()
  })
  return dbs
}

function handClock(): { now: () => Date; at: Date } {
  const clock = { now: () => clock.at, at: NOW }
  return clock
}

/** Leases node numbers at a business time that the test sets; the database of the test discards them. */
function taker(t: TestContext, db: Db) {
  const clock = handClock()
  let isOver = false
  t.after(() => {
    isOver = true
  })
  const onLost = (): void => assert.ok(isOver, 'a lease was lost')
  const take = (): Promise<NodeLease> => takeNodeNumber({ db, clock, machine: wallClock, onLost })
  return { clock, take }
}

slow(
  'a hundred processes that start at once get a hundred numbers, and the next gets an error that says why',
  async (t) => {
    const [db] = await processes(t, 1)
    const { take } = taker(t, db as Db)
    // On a slow database they wait for each other longer than other queries wait for a lock.
    const locked = Promise.withResolvers<void>()
    const held = inTransaction(db as Db, async (tx) => {
      await tx`lock table node in exclusive mode`
      locked.resolve()
      await pause(4_000)
    })
    await locked.promise
    const leases = await Promise.all(Array.from({ length: NODES_MAX }, take))
    await held
    assert.deepEqual(
      leases.map(({ node }) => node.number).sort((a, b) => a - b),
      Array.from({ length: NODES_MAX }, (_, i) => i),
    )
    await assert.rejects(take(), /All node numbers from 0 to 99 are in use/)

    await leases[41]?.release(SECOND)
    assert.equal((await take()).node.number, leases[41]?.node.number)
  },
)

test('a released number is leased again from a later second on, even within the same second', async (t) => {
  const [db] = await processes(t, 1)
  const { clock, take } = taker(t, db as Db)
  const references = new Set<string>()
  let last = 0
  for (let restart = 0; restart < 5; restart++) {
    const { node, release } = await take()
    assert.equal(node.number, 0)
    assert.ok(node.firstSecond > Math.max(last, SECOND), `${node.firstSecond}`)
    last = node.firstSecond
    const ids = idSource(clock, 'KOBO', node)
    for (let i = 0; i < 10; i++) references.add(ids.transactionReference())
    await release(ids.lastSecond())
  }
  assert.equal(references.size, 50)
})

test('the number of a dead process is taken over when its lease expires, and not a moment sooner', async (t) => {
  const [db] = await processes(t, 1)
  assert.ok(db !== undefined)
  const { clock, take } = taker(t, db)
  const dead = await take()
  // The process's own clock does not matter: leases follow the database's.
  clock.at = secondsAfter(NOW, 86_400)
  assert.equal((await take()).node.number, 1)
  await db`update node set leased_until = clock_timestamp() where number = ${dead.node.number}`
  const heir = await take()
  assert.equal(heir.node.number, dead.node.number)
  assert.ok(heir.node.firstSecond > SECOND + 86_400)

  await dead.release(SECOND) // the dead process wakes up: it no longer owns the number that it releases
  assert.notEqual((await take()).node.number, heir.node.number)
})

test('a number leased by a process whose clock is behind still starts after all references made under it', async (t) => {
  const [db] = await processes(t, 1)
  const { clock, take } = taker(t, db as Db)
  const { node, release } = await take()
  const ids = idSource(clock, 'KOBO', node)
  clock.at = secondsAfter(NOW, 30)
  const made = Array.from({ length: 1_000 }, () => ids.shortReference('B')) // more than a second has room for
  await release(ids.lastSecond())
  clock.at = secondsAfter(NOW, -3_600)
  const late = await take()
  assert.equal(late.node.number, node.number)
  assert.ok(late.node.firstSecond > SECOND + 31, `${late.node.firstSecond}`)
  assert.ok(!made.includes(idSource(clock, 'KOBO', late.node).shortReference('B')))
})

test('a process that died with borrowed seconds leaves none of its references to its successor', async (t) => {
  const [db] = await processes(t, 1)
  assert.ok(db !== undefined)
  const { clock, take } = taker(t, db)
  const dead = await take()
  const made = new Set<string>()
  const ids = idSource(clock, 'KOBO', dead.node)
  // More bill references than fit into the seconds that a node may borrow.
  assert.throws(() => {
    for (let i = 0; i < 100_000; i++) made.add(ids.shortReference('KFBP'))
  }, /more ids were requested/)
  assert.ok(made.size > 10_000, 'a burst is served')
  // It dies just before it would have renewed its lease, which has then lasted a quarter of a minute.
  clock.at = secondsAfter(NOW, 45)
  await db`update node set leased_until = clock_timestamp() where number = ${dead.node.number}`
  const heir = await take()
  assert.equal(heir.node.number, dead.node.number)
  const its = idSource(clock, 'KOBO', heir.node)
  for (let i = 0; i < 1_000; i++) assert.ok(!made.has(its.shortReference('KFBP')))
  clock.at = secondsAfter(NOW, 60)
  assert.match(ids.shortReference('KFBP'), /^KFBP260301093100/, 'it continues once time has caught up')
})

slow('a process whose number could not be renewed in time stops making references at once', async (t) => {
  const [db] = await processes(t, 1)
  assert.ok(db !== undefined)
  let isLost = false
  const clock = handClock()
  const lease = await takeNodeNumber({
    db,
    clock,
    machine: wallClock,
    leaseSeconds: 6,
    onLost: () => {
      isLost = true
    },
  })
  const ids = idSource(whileHealthy(clock, lease), 'KOBO', lease.node)
  assert.match(ids.transactionReference(), /^KOBO/)
  await asOwner(db.url, 'alter table node rename to nobody') // it cannot be renewed
  await until('it makes no references', () => {
    try {
      return ids.id() === 0n
    } catch {
      return true
    }
  })
  assert.match(lease.whyUnhealthy() ?? '', /could not renew/)
  await until('it learns that its lease is lost', () => isLost)
  await asOwner(db.url, 'alter table nobody rename to node')
})

test('a process whose number was taken over stops when it notices', async (t) => {
  const [db] = await processes(t, 1)
  assert.ok(db !== undefined)
  const lost = Promise.withResolvers<void>()
  const lease = await takeNodeNumber({
    db,
    clock: handClock(),
    machine: wallClock,
    leaseSeconds: 4,
    onLost: lost.resolve,
  })
  await db`update node set holder = gen_random_uuid()`
  await lost.promise
  assert.match(lease.whyUnhealthy() ?? '', /could not renew/)
})

/** A process's clock, and its subscription to the others. */
async function clockOf(t: TestContext, db: Db, wall: Clock): Promise<BusinessClock> {
  const channels = await openChannels(db)
  t.after(channels.close)
  return openBusinessClock(db, channels, wall)
}

test('business time that one process moves ahead moves for all, also for those that start later, and never back', async (t) => {
  const dbs = await processes(t, 3)
  const wall = handClock()
  const clocks = await Promise.all(dbs.slice(0, 2).map((db) => clockOf(t, db, wall)))
  const [here, there] = clocks
  assert.ok(here !== undefined && there !== undefined)
  assert.deepEqual([here.now(), there.now()], [NOW, NOW])

  /** Resolves when the other process has received a move, on its own connection. */
  const heardBy = async (clock: typeof there, moment: Date): Promise<void> => {
    await until('the other process has the new time', () => clock.now() >= moment)
    assert.deepEqual(clock.now(), moment)
  }
  const week = secondsAfter(NOW, 7 * 86_400)
  await here.moveTo(week)
  assert.deepEqual(here.now(), week)
  await heardBy(there, week)

  await here.moveTo(NOW)
  assert.deepEqual([here.now(), there.now()], [week, week])

  await there.moveTo(secondsAfter(week, 1))
  assert.deepEqual(there.now(), secondsAfter(week, 1))
  await heardBy(here, secondsAfter(week, 1))
  const later = await clockOf(t, dbs[2] as Db, wall)
  assert.deepEqual(later.now(), secondsAfter(week, 1))
  wall.at = secondsAfter(NOW, 5)
  assert.deepEqual(there.now(), secondsAfter(week, 6))
})

test('two processes that move time at once agree on the later moment', async (t) => {
  const dbs = await processes(t, 2)
  const wall = handClock()
  const clocks = await Promise.all(dbs.map((db) => clockOf(t, db, wall)))
  await Promise.all(clocks.flatMap((clock, i) => [1, 2, 3].map((n) => clock.moveTo(secondsAfter(NOW, n * 10 + i)))))
  const later = await clockOf(t, dbs[0] as Db, wall)
  assert.deepEqual(later.now(), secondsAfter(NOW, 31))
})

test('a process that was cut off learns on every channel that it missed something, and receives again', async (t) => {
  const [db] = await processes(t, 1)
  assert.ok(db !== undefined)
  const channels = await openChannels(db)
  t.after(channels.close)
  const received: string[] = []
  for (const channel of ['one', 'Other'])
    await channels.subscribe(channel, {
      onMessage: (word) => received.push(`${channel}: ${word}`),
      onMissed: () => received.push(`${channel} missed`),
    })
  await db`select pg_notify('one', 'a'), pg_notify('Other', 'b'), pg_notify('nobody', 'c')`
  await until('both are received', () => received.length === 2)
  await db`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'listen %'`
  await until('both channels report a gap', () => received.length === 4)
  await db`select pg_notify('Other', 'd')`
  await until('it receives again', () => received.length === 5)
  assert.deepEqual(received, ['one: a', 'Other: b', 'one missed', 'Other missed', 'Other: d'])
})

slow('a process that is cut off for long retries one attempt at a time, and receives again when it can', async (t) => {
  const { url, drop } = await ownDatabase()
  const between = await databaseProxy(t, url)
  const db = openDatabase(between.url, 1)
  const channels = await openChannels(db)
  t.after(async () => {
    await Promise.all([channels.close(), db.end()])
    await drop()
  })
  let missed = 0
  await channels.subscribe('one', { onMessage: () => {}, onMissed: () => missed++ })

  between.disconnect()
  const { rejectedAt } = between
  await until('it has retried often', () => rejectedAt.length >= 4)
  const waits = rejectedAt.slice(1).map((at, index) => at - (rejectedAt[index] ?? 0))
  assert.ok(Math.min(...waits) > 100, `attempts run one after another: ${waits}`)
  assert.equal(missed, 0)
  const words: string[] = []
  await channels.subscribe('other', { onMessage: (word) => words.push(word), onMissed: () => words.push('missed') })
  between.reconnect()
  await until('it is connected again', () => missed > 0 && words.length > 0)
  await db`select pg_notify('other', 'word')`
  await until('a channel subscribed meanwhile is received too', () => words.length > 1)
  assert.equal(missed, 1)
  assert.deepEqual(words, ['missed', 'word'])
})
