import type { Clock } from '../kernel/clock.ts'
import { type OffsetClock, offsetClock } from '../kernel/clock.ts'
import type { Channels } from '../platform/postgres/channels.ts'
import { type Db, inTransaction } from '../platform/postgres/db.ts'

const CHANNEL = 'business_clock'

/** Business time, the same on every node: real time plus the sandbox's offset. */
export interface BusinessClock extends OffsetClock {
  /** Moves time forward to at least this moment, on all nodes, permanently. */
  readonly moveTo: (moment: Date) => Promise<void>
}

export async function openBusinessClock(db: Db, channels: Channels, wall: Clock): Promise<BusinessClock> {
  const clock = offsetClock(wall)
  const read = async (): Promise<void> => {
    const [row] = await db<{ offsetMilliseconds: bigint }[]>`select offset_milliseconds from business_clock`
    clock.setOffset(Number(row?.offsetMilliseconds ?? 0n))
  }
  await channels.subscribe(CHANNEL, {
    onMessage: (offset) => clock.setOffset(Number(offset)),
    onMissed: read,
  })
  await read()
  return {
    ...clock,
    moveTo: async (moment) => {
      const target = BigInt(Math.max(0, moment.getTime() - wall.now().getTime()))
      const offset = await inTransaction(db, async (tx) => {
        const [row] = await tx<{ offsetMilliseconds: bigint }[]>`
          update business_clock set offset_milliseconds = greatest(offset_milliseconds, ${target}) returning offset_milliseconds`
        await tx`select pg_notify(${CHANNEL}, ${String(row?.offsetMilliseconds)})`
        return Number(row?.offsetMilliseconds)
      })
      clock.setOffset(offset)
    },
  }
}
