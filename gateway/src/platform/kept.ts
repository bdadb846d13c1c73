import { monotonic } from '../kernel/clock.ts'
import type { Channels } from './channels.ts'

/** Read again after so long, whatever was heard: a change that nobody told of counts then. */
const KEPT_MILLISECONDS_MAX = 300_000

/** Something small that every process has in memory, and reads again when another says that it has changed. */
export interface Kept<T> {
  readonly present: () => T
  readonly readAgain: () => Promise<void>
}

/** Reads something once, and again whenever its channel says so, the channel was broken, or it has grown old. */
export async function keep<T>(channels: Channels, channel: string, read: () => Promise<T>): Promise<Kept<T>> {
  let value: T
  let readAt = monotonic()
  let isOutdated = false
  let underWay: Promise<void> | undefined

  async function readNow(): Promise<void> {
    isOutdated = false
    const startedAt = monotonic()
    try {
      value = await read()
      readAt = startedAt
    } catch (error) {
      isOutdated = true // whoever asks next has it tried again
      throw error
    }
  }

  /** What is said while somebody reads may come too late for that reading: then it is read once more. */
  const readAgain = async (): Promise<void> => {
    if (underWay !== undefined) await underWay.catch(() => {})
    underWay ??= readNow().finally(() => {
      underWay = undefined
    })
    await underWay
  }

  const isOld = (): boolean =>
    isOutdated || monotonic() - readAt > KEPT_MILLISECONDS_MAX || !channels.vouchesFor(readAt)

  await channels.hear(channel, { onWord: () => void readAgain().catch(() => {}), onMissed: readAgain })
  value = await read()
  return {
    present: () => {
      if (underWay === undefined && isOld()) void readAgain().catch(() => {})
      return value
    },
    readAgain,
  }
}
