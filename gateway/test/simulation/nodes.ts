import type { TestContext } from 'node:test'
import { type Clock, wallClock } from '../../src/kernel/clock.ts'
import type { Db } from '../../src/platform/db.ts'
import { openDatabase } from '../../src/platform/db.ts'
import { type Door, door } from '../harness/door.ts'
import { type Running, start } from '../harness/gateway.ts'
import { ownDatabase } from '../harness/postgres.ts'
import { RAILS_SECRET } from '../rails/adapter.ts'

/** One of the two nodes, which may be started many times. */
export interface Node {
  readonly name: string
  /** Where merchants and banks reach it. */
  url: string
  running: Running
  /** How often it was started: who called an earlier one has to log in again. */
  life: number
  /** How far the clock of its machine is ahead. */
  aheadMilliseconds: number
  /** What is wrong with it, so that it may answer 5xx or not at all. */
  trouble: string | undefined
  readonly database: () => Door
  /** Ends it as `kill -9` does: nobody gets an answer, nothing is closed. */
  readonly crash: () => void
  /** Starts it again, after the minute for which the number of the dead one is nobody else's. What else it had leased stays so. */
  readonly restart: () => Promise<void>
}

/** Two nodes over one database, each behind a network that can break. */
export interface Nodes {
  readonly all: readonly [Node, Node]
  readonly databaseUrl: string
  /** Not by way of any node: sees what they have committed. */
  readonly db: Db
  /** Real time as all but the skewed see it. It stands but for a millisecond at each look. */
  readonly wall: Clock & { readonly moveOn: (seconds: number) => void }
  /** Business time. */
  readonly clock: Clock
  /** Kills both and starts them again, and ends all leases: nobody is left who has one. */
  readonly restartAll: () => Promise<void>
}

/** A Monday. */
const BEGINNING = Date.UTC(2027, 0, 4)
const END_SECONDS_MAX = 20
/** Whoever takes a dead node's number begins where that one cannot have been, whatever its clock was. */
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

/** One that knows the time. */
const aliveOf = (all: readonly Node[]): Node =>
  all.find(({ running }) => running.core.fitness.whyUnfit() === undefined) ?? (all[0] as Node)

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
  readonly toDatabase: Door
  readonly front: Door
}

async function startNode(t: TestContext, deps: Deps): Promise<Node> {
  const { name, databaseUrl, db, railsUrl, wall, ending } = deps
  const skewed = (clock: Clock): Clock => ({ now: () => new Date(clock.now().getTime() + node.aheadMilliseconds) })
  const live = async (): Promise<Life> => {
    const toDatabase = await door(t, databaseUrl)
    const running = await start({
      databaseUrl: toDatabase.url,
      env: { KOBO_RAILS_URL: railsUrl, KOBO_RAILS_SECRET: RAILS_SECRET, KOBO_RATE_LIMIT: '0' },
      wall: skewed(wall),
      machine: skewed(wallClock),
      onNodeLost: () => {},
    })
    const number = Number(running.core.ids.transactionReference().split('|')[1])
    return { running, number, toDatabase, front: await door(t, running.url) }
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
      alive.front.shut()
      alive.toDatabase.shut()
      // What is left of it in this process ends for want of a database.
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

const addressOf = ({ url }: Door): string => url.replace(/\/$/, '')

/** Everybody is gone, so what they had taken is free again: else it takes a minute and a half of real time. */
async function endLeases(db: Db): Promise<void> {
  await db`update rail_order set leased_until = now() where leased_until > now()`
  await db`update event set leased_until = now() where leased_until > now()`
  await db`update idempotency_key set leased_until = now() where leased_until > now()`
}
