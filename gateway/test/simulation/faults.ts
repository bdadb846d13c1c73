import { inTransaction, openDatabase, type Tx } from '../../src/platform/db.ts'
import { ask } from '../harness/ask.ts'
import { until } from '../harness/wait.ts'
import type { Node, Nodes } from './nodes.ts'
import type { Dice } from './scene.ts'

/** Something that goes wrong while a step is under way. */
export interface Fault {
  readonly kind: string
  readonly what: string
  /** Mends it once the step is over. */
  readonly mend: () => Promise<void>
}

/** In the middle of what a step does, mostly. */
const CRASH_MILLISECONDS_MAX = 40
const DAY_MILLISECONDS = 86_400_000
/** Clocks that are as far apart are in use: it is less than the bound. */
const TOLERATED_MILLISECONDS = 1_500

/** What may go wrong, and how often among all faults. */
const FAULTS = [
  'crash',
  'crash',
  'clock within the bound',
  'clock within the bound',
  'clock beyond the bound',
  'silent channel',
  'lost connections',
  'long snapshot',
  'long snapshot',
] as const

/** Lets something go wrong at a node; `trouble` is over when it is mended. */
export async function fault(dice: Dice, nodes: Nodes): Promise<Fault> {
  const kind = dice.oneOf(FAULTS)
  const node = dice.oneOf(nodes.all)
  const sign = dice.oneOf([-1, 1])
  const what = `${kind} at the ${node.name} node`
  switch (kind) {
    case 'crash':
      return crash(node, dice.below(CRASH_MILLISECONDS_MAX))
    case 'clock within the bound':
      node.aheadMilliseconds = sign * TOLERATED_MILLISECONDS
      return { kind, what, mend: () => setClock(node) }
    case 'clock beyond the bound':
      return troubled(node, kind, what, () => {
        node.aheadMilliseconds = sign * DAY_MILLISECONDS
        return () => setClock(node)
      })
    case 'silent channel':
      node.database().silence('listen ')
      return { kind, what, mend: () => reconnect(node) }
    case 'lost connections':
      return troubled(node, kind, what, () => {
        node.database().shut()
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
    mend: async () => {
      await end()
      node.trouble = undefined
    },
  }
}

/** In the end the network breaks what it kept silent; who was behind it hears of what it has missed. */
async function reconnect(node: Node): Promise<void> {
  node.database().shut()
  node.database().open()
  await until('it is ready again', async () => {
    const ready = await ask({ method: 'GET', url: `${node.url}/health/ready`, headers: {} }).catch(() => undefined)
    return ready?.status === 200
  })
}

/** Kills it in the middle of the step. */
function crash(node: Node, afterMilliseconds: number): Fault {
  node.trouble = 'it was killed'
  const killed = setTimeout(node.crash, afterMilliseconds)
  return {
    kind: 'crash',
    what: `the ${node.name} node is killed`,
    mend: async () => {
      clearTimeout(killed)
      node.crash()
      await node.restart()
      node.trouble = undefined
    },
  }
}

/** Somebody reads for long, as a report or a backup does: nothing that was changed meanwhile can be cleared away. */
async function snapshot({ databaseUrl }: Nodes): Promise<Fault> {
  const db = openDatabase(databaseUrl, 1)
  const held = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const read = async (tx: Tx): Promise<void> => {
    await tx`select count(*) from account`
    begun.resolve()
    await held.promise
  }
  const reading = inTransaction(db, read, 'isolation level repeatable read read only')
  await begun.promise
  return {
    kind: 'long snapshot',
    what: 'a long snapshot',
    mend: async () => {
      held.resolve()
      await reading
      await db.end()
    },
  }
}
