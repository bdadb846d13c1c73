import { inTransaction, openDatabase, type Tx } from '../../src/platform/postgres/db.ts'
import { sendRequest } from '../harness/send-request.ts'
import { until } from '../harness/until.ts'
import type { Node, Nodes } from './nodes.ts'
import type { Dice } from './scene.ts'

/** A fault during a step. */
export interface Fault {
  readonly kind: string
  readonly what: string
  /** Repairs the fault once the step is over. */
  readonly repair: () => Promise<void>
}

/** A crash happens within this time, mostly in the middle of a step. */
const CRASH_MILLISECONDS_MAX = 40
const DAY_MILLISECONDS = 86_400_000
/** Clock skew below the limit, at which nodes keep working. */
const TOLERATED_MILLISECONDS = 1_500

/** The faults. A fault that is listed twice occurs twice as often. */
const FAULTS = [
  'crash',
  'crash',
  'clock within the limit',
  'clock within the limit',
  'clock beyond the limit',
  'dead channel',
  'lost connections',
  'long snapshot',
  'long snapshot',
] as const

/** Causes a fault at a node; `trouble` ends with the repair. */
export async function fault(dice: Dice, nodes: Nodes): Promise<Fault> {
  const kind = dice.oneOf(FAULTS)
  const node = dice.oneOf(nodes.all)
  const sign = dice.oneOf([-1, 1])
  const what = `${kind} at the ${node.name} node`
  switch (kind) {
    case 'crash':
      return crash(node, dice.below(CRASH_MILLISECONDS_MAX))
    case 'clock within the limit':
      node.aheadMilliseconds = sign * TOLERATED_MILLISECONDS
      return { kind, what, repair: () => setClock(node) }
    case 'clock beyond the limit':
      return troubled(node, kind, what, () => {
        node.aheadMilliseconds = sign * DAY_MILLISECONDS
        return () => setClock(node)
      })
    case 'dead channel':
      node.database().freeze('listen ')
      return { kind, what, repair: () => reconnect(node) }
    case 'lost connections':
      return troubled(node, kind, what, () => {
        node.database().disconnect()
        return () => reconnect(node)
      })
    case 'long snapshot':
      return snapshot(nodes)
  }
}

async function setClock(node: Node): Promise<void> {
  node.aheadMilliseconds = 0
}

function troubled(node: Node, kind: string, what: string, begin: () => () => Promise<void>): Fault {
  node.trouble = what
  const end = begin()
  return {
    kind,
    what,
    repair: async () => {
      await end()
      node.trouble = undefined
    },
  }
}

/** Breaks the node's dead connections at last, and waits until the node has recovered. */
async function reconnect(node: Node): Promise<void> {
  node.database().disconnect()
  node.database().reconnect()
  await until('it is ready again', async () => {
    const ready = await sendRequest({ method: 'GET', url: `${node.url}/health/ready`, headers: {} }).catch(
      () => undefined,
    )
    return ready?.status === 200
  })
}

/** Kills a node in the middle of the step. */
function crash(node: Node, afterMilliseconds: number): Fault {
  node.trouble = 'it was killed'
  const killed = setTimeout(node.crash, afterMilliseconds)
  return {
    kind: 'crash',
    what: `the ${node.name} node is killed`,
    repair: async () => {
      clearTimeout(killed)
      node.crash()
      await node.restart()
      node.trouble = undefined
    },
  }
}

/** A long read, as of a report or a backup, during which no dead row can be vacuumed. */
async function snapshot({ databaseUrl }: Nodes): Promise<Fault> {
  const db = openDatabase(databaseUrl, 1)
  const held = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const read = async (tx: Tx): Promise<void> => {
    // On a busy machine a step may take longer than the timeout of idle transactions.
    await tx`set local idle_in_transaction_session_timeout = 0`
    await tx`select count(*) from account`
    begun.resolve()
    await held.promise
  }
  const reading = inTransaction(db, read, 'isolation level repeatable read read only')
  await begun.promise
  return {
    kind: 'long snapshot',
    what: 'a long snapshot',
    repair: async () => {
      held.resolve()
      await reading
      await db.end()
    },
  }
}
