import type { TestContext } from 'node:test'
import { type Clock, wallClock } from '../../src/kernel/clock.ts'
import { isDatabaseAway } from '../../src/platform/config/start-errors.ts'
import type { Db } from '../../src/platform/postgres/db.ts'
import { openDatabase } from '../../src/platform/postgres/db.ts'
import { type DatabaseProxy, databaseProxy } from '../harness/database-proxy.ts'
import { type Running, start } from '../harness/gateway.ts'
import { ownDatabase } from '../harness/postgres.ts'
import { RAILS_SECRET } from '../rails/adapter.ts'

/** One of the two nodes, which may be restarted many times. */
export interface Node {
  readonly name: string
  /** The URL for merchants and banks. */
  url: string
  running: Running
  /** The number of starts. Callers from before the last start must log in again. */
  life: number
  /** How far its machine's clock is ahead. */
  aheadMilliseconds: number
  /** The node's current fault, which allows it to return 5xx or nothing. */
  trouble: string | undefined
  readonly database: () => DatabaseProxy
  /** Ends the node like `kill -9`: no caller gets a response, and nothing is closed. */
  readonly crash: () => void
  /** Restarts the node after the minute for which its old node number stays leased. Its other leases stay. */
  readonly restart: () => Promise<void>
}

/** Two nodes on one database, each behind a network that can fail. */
export interface Nodes {
  readonly all: readonly [Node, Node]
  readonly databaseUrl: string
  /** A direct connection, which sees what the nodes have committed. */
  readonly db: Db
  /** Real time, as nodes without clock skew see it. It advances by a millisecond with each reading. */
  readonly wall: Clock & { readonly moveOn: (seconds: number) => void }
  /** Business time. */
  readonly clock: Clock
  /** Kills and restarts both nodes, and ends all leases, because no holder is left. */
  readonly restartAll: () => Promise<void>
}

/** A Monday. */
const BEGINNING = Date.UTC(2027, 0, 4)
const END_SECONDS_MAX = 20
const START_TRIES_MAX = 30
/**
 * The lease of a node number. The next holder's ids are later than all ids of the dead holder, whatever its clock was.
 */
const NODE_LEASE_SECONDS = 60

export async function nodes(t: TestContext, railsUrl: string): Promise<Nodes> {
  const { url, drop } = await ownDatabase()
  const db = openDatabase(url, 3)
  const all: Node[] = []
  const ending: Promise<unknown>[] = []
  let milliseconds = BEGINNING
  const wall = {
    now: () => new Date(milliseconds++),
    moveOn: (seconds: number) => {
      milliseconds += seconds * 1_000
    },
  }
  const restartAll = async (): Promise<void> => {
    for (const node of all) node.crash()
    await Promise.all(ending.splice(0))
    await endLeases(db)
    for (const node of all) await node.restart()
  }
  const clock = { now: () => aliveOf(all).running.core.clock.now() }
  t.after(async () => {
    const closed = Promise.all([...all.map(({ running }) => running.close()), ...ending])
    await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, END_SECONDS_MAX * 1_000).unref())])
    await db.end()
    await drop()
  })
  for (const name of ['first', 'second'])
    all.push(await startNode(t, { name, databaseUrl: url, db, railsUrl, wall, ending }))
  return { all: all as [Node, Node], databaseUrl: url, db, wall, clock, restartAll }
}

/** A node with a correct clock. */
const aliveOf = (all: readonly Node[]): Node =>
  all.find(({ running }) => running.core.nodeLease.whyUnhealthy() === undefined) ?? (all[0] as Node)

interface Deps {
  readonly name: string
  readonly databaseUrl: string
  readonly db: Db
  readonly railsUrl: string
  readonly wall: Nodes['wall']
  readonly ending: Promise<unknown>[]
}

interface Life {
  readonly running: Running
  /** Its number among the nodes. */
  readonly number: number
  readonly toDatabase: DatabaseProxy
  readonly front: DatabaseProxy
}

async function startNode(t: TestContext, deps: Deps): Promise<Node> {
  const { name, databaseUrl, db, railsUrl, wall, ending } = deps
  const skewed = (clock: Clock): Clock => ({ now: () => new Date(clock.now().getTime() + node.aheadMilliseconds) })
  const live = async (): Promise<Life> => {
    const toDatabase = await databaseProxy(t, databaseUrl)
    const running = await startAgain(() =>
      start({
        databaseUrl: toDatabase.url,
        env: { KOBO_RAILS_URL: railsUrl, KOBO_RAILS_SECRET: RAILS_SECRET, KOBO_RATE_LIMIT: '0' },
        wall: skewed(wall),
        machine: skewed(wallClock),
        onNodeLost: () => {},
      }),
    )
    const number = Number(running.core.ids.transactionReference().split('|')[1])
    return { running, number, toDatabase, front: await databaseProxy(t, running.url) }
  }
  const node: Node = {
    name,
    life: 1,
    aheadMilliseconds: 0,
    trouble: undefined,
    database: () => alive.toDatabase,
    crash: () => {
      if (isDead) return
      isDead = true
      alive.front.disconnect()
      alive.toDatabase.disconnect()
      // The rest of the node in this process ends because its database connection is gone.
      ending.push(node.running.close().catch(() => {}))
    },
    restart: async () => {
      const { number } = alive
      await db`update node set leased_until = clock_timestamp() where number = ${number}`
      wall.moveOn(NODE_LEASE_SECONDS)
      alive = await live()
      isDead = false
      node.running = alive.running
      node.url = addressOf(alive.front)
      node.life++
    },
    url: '',
    running: undefined as unknown as Running,
  }
  let alive = await live()
  let isDead = false
  node.running = alive.running
  node.url = addressOf(alive.front)
  return node
}

/** Starts a node, again if it gets no database connection in time, as on a busy machine. */
const startAgain = (begin: () => Promise<Running>, triesLeft = START_TRIES_MAX): Promise<Running> =>
  begin().catch((error: unknown) => {
    if (!isDatabaseAway(error) || triesLeft === 1) throw error
    return startAgain(begin, triesLeft - 1)
  })

const addressOf = ({ url }: DatabaseProxy): string => url.replace(/\/$/, '')

/** All holders are gone, so their leases are freed at once instead of after a minute and a half of real time. */
async function endLeases(db: Db): Promise<void> {
  await db`update rail_order set leased_until = now() where leased_until > now()`
  await db`update event set leased_until = now() where leased_until > now()`
  await db`update idempotency_key set leased_until = now() where leased_until > now()`
}
