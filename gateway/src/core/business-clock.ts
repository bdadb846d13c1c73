import type { Clock } from '../kernel/clock.ts'
import { type OffsetClock, offsetClock } from '../kernel/clock.ts'
import type { Channels } from '../platform/channels.ts'
import { type Db, inTransaction } from '../platform/db.ts'

const CHANNEL = 'business_clock'

/** Business time, the same on every node: real time plus the offset that the sandbox has been moved ahead by. */
export interface BusinessClock extends OffsetClock {
  /** Moves time ahead to at least this moment, for all nodes and for good. */
  readonly moveTo: (moment: Date) => Promise<void>
}

export async function openBusinessClock(db: Db, channels: Channels, wall: Clock): Promise<BusinessClock> {
  const clock = offsetClock(wall)
  const read = async (): Promise<void> => {
    const [row] = await db<{ offsetMilliseconds: bigint }[]>`select offset_milliseconds from business_clock`
    clock.setOffset(Number(row?.offsetMilliseconds ?? 0n))
  }
  await channels.hear(CHANNEL, {
    onWord: (offset) => clock.setOffset(Number(offset)),
    onMissed: read,
  })
  await read()
  return {
    ...clock,
    moveTo: async (moment) => {
      const wanted = BigInt(Math.max(0, moment.getTime() - wall.now().getTime()))
      const offset = await inTransaction(db, async (tx) => {
        const [row] = await tx<{ offsetMilliseconds: bigint }[]>`
          update business_clock set offset_milliseconds = greatest(offset_milliseconds, ${wanted}) returning offset_milliseconds`
        await tx`select pg_notify(${CHANNEL}, ${String(row?.offsetMilliseconds)})`
        return Number(row?.offsetMilliseconds)
      })
      clock.setOffset(offset)
    },
  }
}
