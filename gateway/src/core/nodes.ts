import { randomUUID } from 'node:crypto'
import type { Clock } from '../kernel/clock.ts'
import { secondsAfter } from '../kernel/clock.ts'
import { NODES_MAX, type NodeNumber } from '../kernel/ids.ts'
import { type Db, inTransaction } from '../platform/db.ts'

const LEASE_SECONDS = 60
const RENEW_SECONDS = 15

/** This process's node number, held until it is released or could not be renewed in time. */
export interface NodeLease {
  readonly node: NodeNumber
  readonly release: () => Promise<void>
}

/** Takes a free node number. `onLost` is called when the lease ran out: the process must then stop making references. */
export async function takeNodeNumber(db: Db, clock: Clock, wall: Clock, onLost: () => void): Promise<NodeLease> {
  const holder = randomUUID()
  const takenAt = wall.now()
  const node = await inTransaction(db, async (tx) => {
    await tx`lock table node in exclusive mode`
    const at = wall.now()
    const second = Math.floor(clock.now().getTime() / 1_000)
    const [taken] = await tx<{ number: number; firstSecond: bigint }[]>`
      insert into node (number, holder, leased_until, first_second)
      select min(number), ${holder}, ${secondsAfter(at, LEASE_SECONDS)}, ${second + 1}
        from generate_series(0, ${NODES_MAX - 1}) as free (number)
       where not exists (select from node where node.number = free.number and leased_until > ${at})
      having min(number) is not null
          on conflict (number) do update
         set holder = excluded.holder,
             leased_until = excluded.leased_until,
             first_second = greatest(node.first_second + 1, excluded.first_second)
      returning number, first_second`
    if (taken === undefined) throw new Error(`All ${NODES_MAX} node numbers are in use`)
    return { number: taken.number, firstSecond: Number(taken.firstSecond) }
  })

  let goodUntil = secondsAfter(takenAt, LEASE_SECONDS)
  const renew = async (): Promise<void> => {
    const at = wall.now()
    const renewed = await db`
      update node set leased_until = ${secondsAfter(at, LEASE_SECONDS)} where number = ${node.number} and holder = ${holder}`
    if (renewed.count === 1) goodUntil = secondsAfter(at, LEASE_SECONDS)
  }
  const renewal = setInterval(() => {
    // The database may be away for a moment, or hang; what counts is whether the lease is still good.
    renew().catch(() => {})
    if (wall.now() < goodUntil) return
    clearInterval(renewal)
    onLost()
  }, RENEW_SECONDS * 1_000)
  renewal.unref()

  return {
    node,
    release: async () => {
      clearInterval(renewal)
      await db`update node set leased_until = ${wall.now()} where number = ${node.number} and holder = ${holder}`
    },
  }
}
